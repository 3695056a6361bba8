import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import pino from 'pino';
import { testDatabase } from '../../test/support/test-database.ts';
import type { AgentCaller } from '../ports/callers.ts';
import type { Deps } from '../deps.ts';
import { createEventHub } from './hub.ts';
import { numberEvents } from './number-events.ts';
import { listenerOf } from './open-stream.ts';
import { recordEvents } from './record-events.ts';

const { db } = await testDatabase();
const LISTENERS = 100;
const now = new Date('2026-03-01T12:00:00.000Z');
const deps: Pick<Deps, 'db' | 'reads' | 'clock' | 'newId'> = {
  db,
  reads: db,
  clock: { now: () => now },
  newId: () => randomUUIDv7(),
};

/** Database reads that wait until the test lets each through. */
function heldReads() {
  const waiting: (() => void)[] = [];
  let asked = 0;
  let wake = () => {};
  const reads = new Proxy(db, {
    async apply(target, self, args: unknown[]) {
      asked += 1;
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      wake();
      await turn.promise;
      const query: unknown = Reflect.apply(target, self, args);
      return await query;
    },
  });
  /** Waits for a query. */
  async function next(): Promise<void> {
    if (waiting.length > 0) return;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  return {
    reads,
    next,
    get asked() {
      return asked;
    },
    get waiting() {
      return waiting.length;
    },
    async letThrough(): Promise<void> {
      await next();
      waiting.shift()?.();
    },
  };
}

const agent = (): AgentCaller => ({
  kind: 'agent',
  agentId: randomUUIDv7(),
  keyId: 'key',
  scope: 'read',
  tier: 'starter',
  status: 'active',
});

describe('the hub of a process', () => {
  it('asks the database once a tick, however many listen', async () => {
    const held = heldReads();
    const hub = createEventHub({ reads: held.reads, log: pino({ level: 'silent' }) });
    const page = { events: [], seq: 0, cursor: '', hasMore: false, truncated: false, eliteFrom: null };
    const taken: string[] = [];
    const agents = Array.from({ length: LISTENERS }, agent);
    for (const reader of agents)
      assert.ok(
        hub.join(
          listenerOf(
            { reader, types: null, page },
            { take: (_event, frame) => taken.push(`${reader.agentId} ${String(frame())}`), end() {} },
          ),
        ),
      );
    await held.next();
    assert.deepEqual([held.asked, held.waiting], [1, 1], 'the first query serves all');
    for (let tick = 1; tick <= 3; tick += 1) {
      const told = agents.map((reader) => ({
        agent: reader.agentId,
        type: 'KEY.CREATED' as const,
        data: { key_id: reader.agentId, name: `tick ${tick}`, scope: 'read' as const },
      }));
      await db.begin((tx) => recordEvents(deps, tx, now, told));
      await numberEvents(deps);
      await held.letThrough();
      await held.next();
      assert.deepEqual([held.asked, held.waiting], [tick + 1, 1], 'the next tick asks again, once');
      // Each listener got its own event of this tick, and nothing else.
      assert.equal(taken.length, LISTENERS);
      for (const { agentId } of agents)
        assert.equal(taken.filter((line) => line.startsWith(agentId) && line.includes(`tick ${tick}`)).length, 1);
      taken.splice(0);
    }
    hub.stop();
    await held.letThrough();
  });
});
