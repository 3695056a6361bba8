import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Answer } from '../clients/client.ts';
import { until } from './processes.ts';
import type { PreparedWorld, ServiceProcess } from './service-processes.ts';

/** One run of a write. */
export type Case = {
  /** The request that writes. Null: a timer writes, once `due` has run. */
  send: (() => Promise<Answer>) | null;
  due?: () => Promise<unknown>;
  /** What the write changes, as text. */
  state: () => Promise<string>;
  /** Ends a wait of the write in the next process, such as a lease of the killed one. */
  again?: () => Promise<unknown>;
};

/** A write, and a part of a statement that only its transaction sends. */
export type Write = { name: string; sends: string; prepare: () => Promise<Case> };

/**
 * Adds two tests for each write. SIGKILL ends the process right before or right after the commit. Before it, nothing has
 * changed. After it, everything has. The next process has the same URL and ends what the killed one began.
 */
export function killsAroundCommits(
  ground: Pick<PreparedWorld, 'start'>,
  first: ServiceProcess,
  writes: readonly Write[],
): void {
  let service = first;
  for (const { name, sends, prepare } of writes)
    for (const point of ['before the commit', 'after the commit'] as const)
      it(`${point}, while ${name}`, async () => {
        const { send, due, state, again } = await prepare();
        const before = await state();
        await service.crashAt(point, 1, sends);
        await due?.();
        const sent = send?.().catch(() => null);
        assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
        await sent;
        assert.equal((await state()) === before, point === 'before the commit', await state());
        service = await ground.start(Number(new URL(service.url).port));
        if (send) {
          const answer = await until('an answer', async () => {
            const given = await send();
            return given.status !== 503 && given;
          });
          // What has happened already is told with 404: nothing is left to confirm or to cancel.
          assert.ok([200, 202, 404].includes(answer.status), JSON.stringify(answer.body));
        }
        await again?.();
        await until('the write is there', async () => (await state()) !== before);
      });
}
