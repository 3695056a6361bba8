import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { ask } from '../../demo/client.ts';
import { startServerOn } from '../../demo/server-process.ts';
import { type Client, createAgent, createClient } from '../../sdk/src/index.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { run } from '../support/processes/processes.ts';

const OPERATOR_KEY = 'ck_operator_of_the_seed_test_0123456789abcdef';
const { signal } = new AbortController();
const dataDir = await mkdtemp(join(tmpdir(), 'concours-seed-'));
const env = { ...process.env, OPERATOR_KEY, DATA_DIR: dataDir };
let server: Awaited<ReturnType<typeof startServerOn>> | null = null;
after(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function seed(): Promise<string> {
  const script = join(import.meta.dirname, '../../scripts/seed.ts');
  // The seed asks this port first. Nothing answers there.
  const given = { ...env, PORT: String(await freePort()) };
  const { stdout } = await run(process.execPath, [script, '--longer-side', '320'], { env: given });
  return stdout;
}

async function states(operator: Client): Promise<Record<string, number>> {
  const { projects } = await ask(operator, operations.listProjectsAsOperator, { query: { limit: '50' } });
  const counts: Record<string, number> = {};
  for (const { status } of projects) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test('the seed creates projects in every state and prints keys that work', async () => {
  const output = await seed();
  server = await startServerOn(dataDir, env, signal);
  const { url } = server;
  const operator = createClient({ url, key: OPERATOR_KEY });
  assert.deepEqual(await states(operator), { draft: 1, open: 4, judging: 2, completed: 1, cancelled: 1 });
  const posterKeys = [...output.matchAll(/^ {2}poster .*?(\S+)$/gm)].map(([, key = '']) => key);
  const agentKeys = [...output.matchAll(/^ {2}agent .*?(\S+)$/gm)].map(([, key = '']) => key);
  assert.deepEqual([posterKeys.length, agentKeys.length], [2, 8]);
  const own = [];
  for (const key of posterKeys)
    own.push(...(await ask(createClient({ url, key }), operations.listOwnProjects)).projects);
  const closing = own.filter(({ status, closes_at }) => status === 'open' && closes_at !== null);
  assert.equal(closing.length, 1);
  const statuses = await Promise.all(agentKeys.map(async (key) => (await createAgent({ url, key }).me()).agent.status));
  assert.deepEqual(statuses, [...Array<string>(6).fill('active'), 'limited', 'suspended']);
  const ledger = await ask(operator, operations.getLedger);
  assert.deepEqual([ledger.balanced, ledger.chain_matches], [true, true]);
});
