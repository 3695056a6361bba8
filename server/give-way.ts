import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A tenth of the share of one that does not give way, 19 a seventieth: then deliveries were given up for want of time. */
const NICE = 10;
const AUTOGROUP = '/proc/self/autogroup';

/**
 * Lets whatever else runs on the machine go before this process. On Linux a thread has a priority of its own, and those of
 * the garbage collector are older than this call. Sessions share the processors before their processes do, where
 * `sched_autogroup_enabled` says so: this one's gives way as well, if this process leads it and thus is, as a rule, alone
 * in it. A container or a service with a share of its own (cgroups) is not for the process to change.
 */
export function giveWay(): void {
  setPriority(NICE);
  if (!existsSync('/proc/self/task')) return;
  for (const thread of readdirSync('/proc/self/task')) tryTo(() => setPriority(Number(thread), NICE));
  if (leadsSession() && existsSync(AUTOGROUP)) tryTo(() => writeFileSync(AUTOGROUP, String(NICE)));
}

/** A thread may have ended meanwhile, and a kernel may not allow it: then it is as it was. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch {}
}

function leadsSession(): boolean {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name, which may hold anything: state, parent, group, session.
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(session) === process.pid;
}
