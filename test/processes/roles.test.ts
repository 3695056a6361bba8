import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { derivedKey } from '../../server/keys/derived-key.ts';
import { createWebhookSecrets } from '../../server/webhooks/delivery/secrets.ts';
import { registerAgent } from '../support/clients/journey.ts';
import { MAIN, type RunningProcess, startScript, until, untilReady } from '../support/processes/processes.ts';
import { seedEvent, seedSubscriptions } from '../support/webhooks/sender-world.ts';
import { removeFolder } from '../support/remove-folder.ts';

// `node server/main.ts --role=…`: the API and the recurring work run in separate processes on one database.

const secretsKey = randomBytes(32).toString('hex');
const folder = await mkdtemp(join(tmpdir(), 'concours-roles-'));
const started: RunningProcess[] = [];
let received = 0;
const receiver = createServer((request, response) => {
  received += 1;
  request.resume();
  response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
// Hooks run in the order of their registration, and the processes must end before their database.
after(async () => {
  for (const running of started) await running.kill('SIGTERM');
  receiver.close();
  await removeFolder(folder);
});
const { db, url: databaseUrl } = await testDatabase();

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
const bearer = { authorization: `Bearer ${metricsToken}` };
const operatorKey = randomBytes(32).toString('base64url');
const metricsOf = async (url: string) => await (await fetch(`${url}/metrics`, { headers: bearer })).text();

it('an API sends no webhooks and a worker answers no clients; together they are the service', async () => {
  const api = await start('api', { OPERATOR_KEY: operatorKey });
  await registerAgent(api.url);
  const { port } = receiver.address() as AddressInfo;
  const secrets = createWebhookSecrets({
    key: derivedKey(secretsKey, 'webhook secrets'),
    randomBytes,
  });
  const urlOf = (_: number, id: string) => `http://127.0.0.1:${port}/${id}`;
  await seedSubscriptions(db, secrets, { count: 3, at: new Date(), urlOf });
  await seedEvent(db, new Date());
  assert.match(await metricsOf(api.url), /^concours_webhooks_fan_outs_open 10$/m);
  const tokenFile = join(folder, 'metrics-token');
  await writeFile(tokenFile, `${metricsToken}\n`);
  const metricsPort = await freePort();
  const worker = await start('worker', {
    METRICS_PORT: String(metricsPort),
    METRICS_TOKEN_FILE: tokenFile,
    OPERATOR_KEY: operatorKey,
  });
  const workerMetrics = `http://127.0.0.1:${metricsPort}`;
  await until('the deliveries', async () => received === 3);
  await until('the end of the fan-out', async () =>
    /^concours_webhooks_fan_outs_open 0$/m.test(await metricsOf(workerMetrics)),
  );
  assert.match(await metricsOf(workerMetrics), /^concours_webhook_attempts_total\{outcome="delivered"\} 3$/m);
  assert.doesNotMatch(await metricsOf(api.url), /concours_webhook_attempts_total\{/);
  assert.equal((await fetch(`${worker.url}/healthz`)).status, 200);
  // The metrics have their own port and token. The other port has none.
  assert.equal((await fetch(`${worker.url}/metrics`, { headers: bearer })).status, 404);
  assert.equal((await fetch(`${workerMetrics}/metrics`)).status, 401);
  // The operator's key, which works elsewhere, opens the metrics no more once they have a token.
  const asOperator = { headers: { authorization: `Bearer ${operatorKey}` } };
  assert.equal((await fetch(`${api.url}/api/v1/operator/ledger`, asOperator)).status, 200);
  assert.equal((await fetch(`${workerMetrics}/metrics`, asOperator)).status, 401);
  // So it is on the port of the API.
  const withToken = await start('api', {
    METRICS_TOKEN: metricsToken,
    OPERATOR_KEY: operatorKey,
    DATA_DIR: join(folder, 'api-with-token'),
  });
  assert.equal((await fetch(`${withToken.url}/metrics`, asOperator)).status, 401);
  assert.equal((await fetch(`${withToken.url}/metrics`, { headers: bearer })).status, 200);
  assert.equal((await fetch(`${workerMetrics}/healthz`, { headers: bearer })).status, 404);
  for (const path of ['/', '/api/v1/network', '/docs', '/api/v1/agents/create'])
    assert.equal((await fetch(`${worker.url}${path}`)).status, 404, path);
  for (const { running } of [worker, api, withToken]) assert.equal(await running.kill('SIGTERM'), 0, running.output());
});

it('an unknown argument stops the start', async () => {
  const running = launch('everything', await freePort());
  assert.equal(await running.ended, 1);
  assert.match(running.output(), /unknown argument: --role=everything/);
});
