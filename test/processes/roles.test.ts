import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { call } from '../support/clients/client.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { MAIN, type RunningProcess, startScript, until, untilReady } from '../support/processes/processes.ts';
import { localReceiver } from '../support/webhooks/local-receiver.ts';
import { removeFolder } from '../support/remove-folder.ts';

// `node server/main.ts --role=…`: the API and the recurring work run in separate processes on one database.

const secretsKey = randomBytes(32).toString('hex');
const folder = await mkdtemp(join(tmpdir(), 'concours-roles-'));
const started: RunningProcess[] = [];
const { address, received } = await localReceiver();
// Hooks run in the order of their registration, and the processes must end before their database.
after(async () => {
  for (const running of started) await running.kill('SIGTERM');
  await removeFolder(folder);
});
const { url: databaseUrl } = await testDatabase();

function launch(role: string, port: number, more: Record<string, string> = {}): RunningProcess {
  const running = startScript(MAIN, [`--role=${role}`], {
    env: {
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, role),
      PORT: String(port),
      SECRETS_KEY: secretsKey,
      ...more,
    },
  });
  started.push(running);
  return running;
}

async function start(
  role: string,
  more: Record<string, string> = {},
): Promise<{ url: string; running: RunningProcess }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = launch(role, port, more);
  await untilReady(running, url);
  return { url, running };
}

const metricsToken = randomBytes(24).toString('hex');
const operatorKey = randomBytes(32).toString('base64url');

it('an API sends no webhooks and a worker answers no clients; together they are the service', async () => {
  const api = await start('api', { OPERATOR_KEY: operatorKey });
  const { key } = await registerAgent(api.url);
  const body = { url: `${address}/hook`, types: ['KEY.CREATED'] };
  const { webhook } = expectStatus(await call(api.url, 'POST', '/agents/me/webhooks', { key, body }), 201).body.data;
  // The endpoint accepts an event first, so that the next one is sent at once.
  expectStatus(await call(api.url, 'POST', `/agents/me/webhooks/${webhook.id}/test`, { key }), 200);
  const created = { name: 'reader', scope: 'read' };
  expectStatus(await call(api.url, 'POST', '/agents/me/keys', { key, body: created }), 201);
  const told = () => received.map((each) => each.body.event).filter((event) => event !== 'TEST');
  const tokenFile = join(folder, 'metrics-token');
  await writeFile(tokenFile, `${metricsToken}\n`);
  const metricsPort = await freePort();
  assert.deepEqual(told(), [], 'nobody works yet');
  const worker = await start('worker', {
    METRICS_PORT: String(metricsPort),
    METRICS_TOKEN_FILE: tokenFile,
    OPERATOR_KEY: operatorKey,
  });
  await until('the delivery', async () => told().length === 1);
  assert.deepEqual(told(), ['KEY.CREATED']);
  assert.equal((await fetch(`${worker.url}/healthz`)).status, 200);
  // The metrics have their own port and token. The other port has none, and the operator's key opens them no more.
  const metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  const asOperator = { headers: { authorization: `Bearer ${operatorKey}` } };
  assert.equal((await fetch(metrics, { headers: { authorization: `Bearer ${metricsToken}` } })).status, 200);
  assert.equal((await fetch(metrics, asOperator)).status, 401);
  assert.equal((await fetch(`${worker.url}/metrics`, asOperator)).status, 404);
  assert.equal((await fetch(`${api.url}/api/v1/operator/ledger`, asOperator)).status, 200);
  for (const path of ['/', '/api/v1/network', '/docs', '/api/v1/agents/create'])
    assert.equal((await fetch(`${worker.url}${path}`)).status, 404, path);
  for (const { running } of [worker, api]) assert.equal(await running.kill('SIGTERM'), 0, running.output());
});

it('an unknown argument stops the start', async () => {
  const running = launch('everything', await freePort());
  assert.equal(await running.ended, 1);
  assert.match(running.output(), /unknown argument: --role=everything/);
});
