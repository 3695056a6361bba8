import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { operations } from '../contract/operations.ts';
import { ask } from '../demo/client.ts';
import { startServerOn } from '../demo/server-process.ts';
import { createAgent, createClient, createPoster } from '../sdk/src/index.ts';

const run = promisify(execFile);
const OPERATOR_KEY = 'ck_operator_of_the_seed_test_0123456789abcdef';
const { signal } = new AbortController();
const dataDir = await mkdtemp(join(tmpdir(), 'concours-seed-'));
const env = { ...process.env, OPERATOR_KEY };
const server = await startServerOn(dataDir, env, signal);
after(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const { url } = server;
const operator = createClient({ url, key: OPERATOR_KEY });

async function seed(): Promise<string> {
  const script = join(import.meta.dirname, 'seed.ts');
  const { stdout } = await run(process.execPath, [script, '--url', url, '--longer-side', '320'], { env });
  return stdout;
}

async function states(): Promise<Record<string, number>> {
  const { projects } = await ask(operator, operations.listProjectsAsOperator, { query: { limit: '50' } });
  const counts: Record<string, number> = {};
  for (const { status } of projects) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test('each run of the seed creates projects in every state and prints keys that work', async () => {
  const output = await seed();
  assert.deepEqual(await states(), { draft: 1, open: 3, judging: 1, completed: 1, cancelled: 1 });
  const posterKeys = [...output.matchAll(/^ {2}poster .*?(\S+)$/gm)].map(([, key = '']) => key);
  const agentKeys = [...output.matchAll(/^ {2}agent .*?(\S+)$/gm)].map(([, key = '']) => key);
  assert.deepEqual([posterKeys.length, agentKeys.length], [2, 8]);
  for (const key of posterKeys) await createPoster({ url, key }).projects().next();
  const statuses = await Promise.all(agentKeys.map(async (key) => (await createAgent({ url, key }).me()).agent.status));
  assert.deepEqual(statuses, [...Array<string>(6).fill('active'), 'limited', 'suspended']);
  const flags = async () => (await ask(operator, operations.listFlags)).flags.length;
  assert.equal(await flags(), 1);
  const ledger = await ask(operator, operations.getLedger);
  assert.deepEqual([ledger.balanced, ledger.chain_matches], [true, true]);

  await seed();
  assert.deepEqual(await states(), { draft: 2, open: 6, judging: 2, completed: 2, cancelled: 2 });
  // Pictures of the first run can resemble those of the second one, too.
  assert.ok((await flags()) >= 2);
});
