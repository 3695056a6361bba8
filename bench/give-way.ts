import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const NICE = 10;

/**
 * Lowers the priority of a process that leads its own session, as `nice -n 10` under a service manager does. Senders
 * and receivers of a measurement use it, because they stand for other machines. On Linux every thread has its own
 * priority, and `sched_autogroup_enabled` shares the processors between sessions first.
 */
export function giveWay(pid = process.pid): void {
  setPriority(pid, NICE);
  const folder = `/proc/${pid}`;
  if (!existsSync(`${folder}/task`)) return;
  for (const thread of readdirSync(`${folder}/task`)) tryTo(() => setPriority(Number(thread), NICE));
  if (existsSync(`${folder}/autogroup`)) tryTo(() => writeFileSync(`${folder}/autogroup`, String(NICE)));
}

/** Ignores failures: a thread may have ended meanwhile, and a kernel may refuse the change. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch {}
}
