import assert from 'node:assert/strict';
import type { Answer } from '../clients/client.ts';
import { until } from './processes.ts';
import { type PreparedWorld, type ServiceProcess, untilKilled } from './service-processes.ts';

/** A request that writes, and its state in the database. */
export type Write = {
  /** How the statement begins at which the killed request waits: one for the table that its transaction locks last. */
  waitsAt: string;
  send(): Promise<Answer>;
  written(): Promise<unknown>;
};

/** Kills the process by SIGKILL while the write waits for its last table, and starts another one at the same URL. */
export async function killedBeforeCommit(
  ground: Pick<PreparedWorld, 'db' | 'start'>,
  service: ServiceProcess,
  { waitsAt, send }: Pick<Write, 'waitsAt' | 'send'>,
): Promise<ServiceProcess> {
  const { db } = ground;
  const table = waitsAt.split(' ').at(-1) ?? '';
  await db.begin(async (tx) => {
    // Readers are not blocked: authentication reads some of these tables.
    await tx`lock table ${tx(table)} in share row exclusive mode`;
    const lost = send().then(
      (answer) => assert.fail(`answered ${answer.status}: ${JSON.stringify(answer.body)}`),
      () => null,
    );
    await until(waitsAt, async () => {
      const waiting = await db`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and query ilike ${`%${waitsAt}%`}`;
      return waiting.length > 0;
    });
    await service.running.kill('SIGKILL');
    await lost;
  });
  return await ground.start(Number(new URL(service.url).port));
}

/** Kills the process by SIGKILL after the write was committed, before its answer, and starts another one. */
export async function killedBeforeAnswer(
  ground: Pick<PreparedWorld, 'start'>,
  service: ServiceProcess,
  { send }: Pick<Write, 'send'>,
): Promise<ServiceProcess> {
  await service.crashAt('before the answer');
  await untilKilled(service, send);
  return await ground.start(Number(new URL(service.url).port));
}
