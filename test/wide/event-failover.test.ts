import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createAgent } from '../../sdk/src/index.ts';
import { until } from '../support/processes/processes.ts';
import { startRelay } from '../support/servers/relay.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { postgresBinaries, startReplicatedPostgres } from '../support/servers/replicated-postgres.ts';

// The primary of a replicated PostgreSQL is killed while events are written and read, and its standby takes over. Two
// readers follow with the SDK: each gets every event of the log once, in its order, and no acknowledged change is lost.

const BEFORE = 15;
const AFTER = 10;
const TYPES = ['KEY.CREATED', 'KEY.REVOKED'] as const;

async function prepare(binaries: string) {
  const postgres = await startReplicatedPostgres(binaries);
  const relay = await startRelay(postgres.port);
  const world = await startWorld({
    databaseUrl: `postgres://concours@127.0.0.1:${relay.port}/postgres`,
    env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000', LIMIT_AGENT_READS_PER_MINUTE: '100000' },
  });
  after(() => postgres.stop());
  return { postgres, relay, url: world.url };
}

const ground = postgresBinaries === undefined ? null : await prepare(postgresBinaries);

const stop = new AbortController();
// Without this, the readers of a failed test would go on.
after(() => stop.abort());

it('a failover of the database loses and repeats no event', { skip: !ground }, async () => {
  assert.ok(ground);
  const { postgres, relay, url } = ground;
  const agent = createAgent({ url, signal: stop.signal });
  const details = {
    agent_name: 'Reader',
    description: 'Hears of everything that happens.',
    specializations: ['logo-design'],
  };
  const { apiKey: key } = await agent.register(details);

  const readers = [1, 2].map(() => {
    const ids: string[] = [];
    const reader = createAgent({ url, key, signal: stop.signal });
    const reading = (async () => {
      for await (const { id } of reader.events({ types: [...TYPES] })) ids.push(id);
    })();
    return { ids, reading: assert.rejects(reading, { name: 'AbortError' }) };
  });

  /** The keys whose creation and revocation were acknowledged. */
  const changed: string[] = [];
  let enough = Infinity;
  const working = (async () => {
    while (changed.length < enough) {
      const { keyId } = await agent.keys.create(`key ${changed.length}`, 'read');
      await agent.keys.revoke(keyId).catch((error: { code?: string }) => {
        // The answer of the first try was lost.
        if (error.code !== 'NOT_FOUND' && error.code !== 'KEY_NOT_FOUND') throw error;
      });
      changed.push(keyId);
    }
  })();
  await until('events are read', async () => changed.length >= BEFORE && readers.every(({ ids }) => ids.length > 2));
  const failingOver = postgres.failOver();
  await relay.cut();
  await relay.mend(await failingOver);
  enough = changed.length + AFTER;
  await working;

  // A job numbers the events after their commit.
  const log = await until('the log has every change', async () => {
    const events = await Array.fromAsync(createAgent({ url, key }).events({ types: [...TYPES], follow: false }));
    return events.length >= TYPES.length * changed.length && events;
  });
  const subjects = (type: string) =>
    log.filter((event) => event.type === type).map(({ data }) => ('key_id' in data ? data.key_id : ''));
  for (const keyId of changed)
    for (const type of TYPES) assert.equal(subjects(type).filter((id) => id === keyId).length, 1, `${type} ${keyId}`);
  await until('both readers are there', async () => readers.every(({ ids }) => ids.length >= log.length));
  for (const { ids } of readers)
    assert.deepEqual(
      ids,
      log.map(({ id }) => id),
    );
  stop.abort();
  for (const { reading } of readers) await reading;
});
