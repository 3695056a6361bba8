import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { freePort } from '../../server/devnet/child-process.ts';
import { call } from '../support/clients/client.ts';
import { registerAgent } from '../support/clients/journey.ts';
import { MAIN, startScript, until, untilReady } from '../support/processes/processes.ts';
import { startRelay } from '../support/servers/relay.ts';
import { testDatabase } from '../support/test-database.ts';
import { removeFolder } from '../support/remove-folder.ts';

// Every open connection to the database stops passing data, without an error, while new connections work: what a failover of
// an address looks like.

const { db, url: direct } = await testDatabase({ connections: 2 });
const relay = await startRelay(Number(new URL(direct).port));
const folder = await mkdtemp(join(tmpdir(), 'concours-silent-'));
const url = `http://127.0.0.1:${await freePort()}`;
const relayed = new URL(direct);
relayed.port = String(relay.port);
const service = startScript(MAIN, [], {
  env: {
    NODE_ENV: 'development',
    PORT: new URL(url).port,
    DATA_DIR: folder,
    DATABASE_URL: relayed.href,
    LIMIT_REGISTRATIONS_PER_HOUR: '10000',
  },
});
after(async () => {
  await service.kill('SIGKILL');
  await removeFolder(folder);
});
await untilReady(service, url);

it('requests on silent connections get 503 in time, later ones work, and no write is done twice', async () => {
  const agents = await Promise.all(Array.from({ length: 8 }, () => registerAgent(url)));
  const makeKey = async ({ key, name, id }: { key: string; name: string; id: string }) =>
    await call(url, 'POST', '/agents/me/keys', {
      key,
      body: { name, scope: 'read' },
      headers: { 'Idempotency-Key': id },
    });
  for (let round = 0; round < 2; round += 1) {
    relay.freeze();
    const startedAt = performance.now();
    const asked = agents.map(async ({ key }, index) => {
      const write = { key, name: `key ${round} ${index}`, id: randomUUID() };
      const isWrite = index % 2 === 0;
      const answer = await (isWrite ? makeKey(write) : call(url, 'GET', '/agents/me', { key }));
      return { write: isWrite ? write : null, answer, ms: performance.now() - startedAt };
    });
    const answers = await Promise.all(asked);
    for (const { answer, ms } of answers) {
      assert.ok([200, 201, 503].includes(answer.status), String(answer.status));
      assert.ok(ms < 6_000, `${ms} ms`);
      if (answer.status !== 503) continue;
      assert.equal(answer.body.error.code, 'DATABASE_ERROR');
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    assert.ok(answers.some(({ answer }) => answer.status === 503));
    // The server hears of the closed connections, and frees the locks of their transactions.
    await relay.mend();
    for (const { write } of answers)
      if (write) await until('the key is made', async () => (await makeKey(write)).status === 201);
  }
  const made = await db`select name from agent_keys where name like 'key %'`;
  assert.equal(made.length, 2 * (agents.length / 2));
});
