import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { networks } from '../../server/chain/networks.ts';
import { startChain } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { createLog } from '../../server/log.ts';
import type { X402Payment } from '../../server/x402/types.ts';
import { createInProcessFacilitator } from '../../server/x402/in-process-facilitator.ts';
import { call, newPayer, signPayment } from '../support/clients/client.ts';
import { createIntent, expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { MAIN, type RunningProcess, startScript, until, untilReady } from '../support/processes/processes.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { sendJson, serveHttp } from '../support/servers/http-server.ts';
import { testDatabase } from '../support/test-database.ts';
import { localReceiver } from '../support/webhooks/local-receiver.ts';

// `node server/main.ts --role=…`: the API and the recurring work run in separate processes on one database and one chain.

const network = networks['eip155:84532'];
const [facilitatorKey, treasuryKey] = [generatePrivateKey(), generatePrivateKey()];
const operatorKey = randomBytes(32).toString('base64url');
const secretsKey = randomBytes(32).toString('hex');
const started: RunningProcess[] = [];
const closers: (() => Promise<unknown> | void)[] = [];
const folder = await mkdtemp(join(tmpdir(), 'concours-roles-'));
closers.push(() => removeFolder(folder));
const { address, received } = await localReceiver();
// Hooks run in the order of their registration, and the processes must end before their databases.
after(async () => {
  await Promise.all(started.map((running) => running.kill('SIGKILL')));
  for (const close of closers.toReversed()) await close();
});
const log = createLog('silent');
const chain = await startChain({
  dataDir: folder,
  facilitatorAddress: privateKeyToAddress(facilitatorKey),
  log,
  durable: false,
});
closers.push(() => chain.stop());
const [development, production] = [await testDatabase(), await testDatabase()];
const real = createInProcessFacilitator({
  rpcUrl: chain.rpcUrl,
  network,
  keys: [facilitatorKey],
  log,
  db: development.db,
  holder: 'roles test',
  pollMs: 10,
});

/** Receives the function that lets a settlement continue. By default, the settlement continues at once. */
let onSettle = (goOn: () => void) => goOn();
const kinds = [
  { x402Version: 2, scheme: 'exact', network: network.id },
  { x402Version: 1, scheme: 'exact', network: network.v1Name },
];
type FacilitatorRequest = { x402Version: number; paymentPayload: unknown; paymentRequirements: unknown };

async function answerOf(path: string, body: string): Promise<unknown> {
  if (path === '/supported') return { kinds, extensions: [], signers: {} };
  const {
    paymentPayload: payload,
    paymentRequirements: requirements,
    ...version
  } = JSON.parse(body) as FacilitatorRequest;
  const payment = { ...version, payload, requirements } as X402Payment;
  if (path === '/verify') return await real.verify(payment);
  await new Promise<void>((goOn) => onSettle(goOn));
  return { ...(await real.settle(payment)), network: network.id };
}
const facilitatorUrl = await serveHttp(async ({ path, body }, response) =>
  sendJson(response, 200, await answerOf(path, body)),
);

function launch(role: string, env: Record<string, string>): RunningProcess {
  const running = startScript(MAIN, [`--role=${role}`], { env });
  started.push(running);
  return running;
}

async function start(role: string, env: Record<string, string>): Promise<{ url: string; running: RunningProcess }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = launch(role, { PORT: String(port), RPC_URL: chain.rpcUrl, ...env });
  await untilReady(running, url);
  return { url, running };
}

const startDevelopment = (role: string, more: Record<string, string> = {}) =>
  start(role, {
    DATABASE_URL: development.url,
    DATA_DIR: join(folder, role),
    FACILITATOR_URL: facilitatorUrl,
    SECRETS_KEY: secretsKey,
    OPERATOR_KEY: operatorKey,
    ...more,
  });

type Started = Awaited<ReturnType<typeof start>>;

describe('an API and a worker', () => {
  let api: Started;
  let worker: Started;

  it('an API sends no webhooks and a worker answers no clients; together they are the service', async () => {
    api = await startDevelopment('api');
    const { key } = await registerAgent(api.url);
    const body = { url: `${address}/hook`, types: ['KEY.CREATED'] };
    const { webhook } = expectStatus(await call(api.url, 'POST', '/agents/me/webhooks', { key, body }), 201).body.data;
    // The endpoint accepts an event first, so that the next one is sent at once.
    expectStatus(await call(api.url, 'POST', `/agents/me/webhooks/${webhook.id}/test`, { key }), 200);
    const created = { name: 'reader', scope: 'read' };
    expectStatus(await call(api.url, 'POST', '/agents/me/keys', { key, body: created }), 201);
    const told = () => received.map((each) => each.body.event).filter((event) => event !== 'TEST');
    const metricsToken = randomBytes(24).toString('hex');
    const tokenFile = join(folder, 'metrics-token');
    await writeFile(tokenFile, `${metricsToken}\n`);
    assert.deepEqual(told(), [], 'nobody works yet');
    worker = await startDevelopment('worker', { METRICS_TOKEN_FILE: tokenFile });
    await until('the delivery', async () => told().length === 1);
    assert.deepEqual(told(), ['KEY.CREATED']);
    assert.equal((await fetch(`${worker.url}/healthz`)).status, 200);
    // The metrics have their own token, and the operator's key opens them no more.
    const metrics = `${worker.url}/metrics`;
    const asOperator = { headers: { authorization: `Bearer ${operatorKey}` } };
    assert.equal((await fetch(metrics, { headers: { authorization: `Bearer ${metricsToken}` } })).status, 200);
    assert.equal((await fetch(metrics, asOperator)).status, 401);
    const ofApi = await (await fetch(`${api.url}/metrics`)).text();
    assert.doesNotMatch(ofApi, /concours_webhook_attempts_total/, 'its absence says that no worker runs');
    assert.equal((await fetch(`${api.url}/api/v1/operator/ledger`, asOperator)).status, 200);
    for (const path of ['/', '/api/v1/network', '/docs', '/api/v1/agents/create'])
      assert.equal((await fetch(`${worker.url}${path}`)).status, 404, path);
  });

  it('an API that receives SIGTERM accepts no new request and finishes a running payment', async () => {
    const { running, url } = api;
    const project = await openProject({ url, mintUsdc: chain.mintUsdc });
    const agent = await registerAgent(url);
    const intent = await createIntent(url, agent.key, project.id);
    const payer = newPayer();
    await chain.mintUsdc(payer.address, 1_000_000);
    const request = { key: agent.key, projectId: project.id, submissionId: intent.id, sizeBytes: 1_000 };
    const headers = await signPayment(payer, expectStatus(await requestUpload(url, request), 402));

    const settling = Promise.withResolvers<() => void>();
    onSettle = settling.resolve;
    const answer = requestUpload(url, { ...request, headers });
    const goOn = await settling.promise;
    running.child.kill('SIGTERM');
    await until('it takes no new connection', () =>
      fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    );
    goOn();
    expectStatus(await answer, 200);
    // Nothing delays the end now. The service does not wait for the client's idle connection.
    await until('its end', async () => running.child.exitCode !== null, 15_000);
    assert.equal(await running.ended, 0, running.output());
    assert.equal(await worker.running.kill('SIGTERM'), 0, worker.running.output());
  });
});

// The bucket only has to exist.
const bucketUrl = await serveHttp((_, response) => response.writeHead(200).end());
const env = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://market.example',
  DATABASE_URL: production.url,
  S3_ENDPOINT: bucketUrl,
  S3_BUCKET: 'entries',
  S3_ACCESS_KEY_ID: 'AKTEST',
  S3_SECRET_ACCESS_KEY: 'SKTEST1234567890',
  NETWORK: network.id,
  RPC_URL: chain.rpcUrl,
  FACILITATOR_KEY: facilitatorKey,
  SECRETS_KEY: secretsKey,
  OPERATOR_KEY: operatorKey,
};

/** Returns whether the memory or the environment of a process holds the treasury's key, as text or as bytes. */
async function holdsKey(pid: number | undefined): Promise<boolean> {
  const hex = treasuryKey.slice(2);
  const shapes = [Buffer.from(hex), Buffer.from(hex, 'utf16le'), Buffer.from(hex, 'hex')];
  if ((await readFile(`/proc/${pid}/environ`)).includes(shapes[0]!)) return true;
  const maps = (await readFile(`/proc/${pid}/maps`, 'latin1')).split('\n');
  const memory = await open(`/proc/${pid}/mem`);
  try {
    for (const line of maps) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (!from || !to) continue;
      const bytes = Buffer.alloc(parseInt(to, 16) - parseInt(from, 16));
      // A part that was never written, or is gone meanwhile, cannot be read.
      await memory.read(bytes, 0, bytes.length, parseInt(from, 16)).catch(() => {});
      if (shapes.some((shape) => bytes.includes(shape))) return true;
    }
    return false;
  } finally {
    await memory.close();
  }
}

describe('the key of the treasury in a production start', () => {
  it('is nowhere in an API process, which has the address', async () => {
    const own = privateKeyToAddress(treasuryKey);
    const { url, running } = await start('api', { ...env, TREASURY_ADDRESS: own });
    const shown = (await (await fetch(`${url}/api/v1/network`)).json()) as { data: { pay_to: string } };
    assert.equal(shown.data.pay_to, own);
    assert.equal(await holdsKey(running.child.pid), false);
    assert.equal(await holdsKey(process.pid), true, 'the search finds the key where it is');
  });

  it('is refused beside the address of another key', async () => {
    const wrong = { TREASURY_KEY: treasuryKey, TREASURY_ADDRESS: `0x${'ab'.repeat(20)}` };
    const running = launch('worker', { ...env, ...wrong, PORT: String(await freePort()) });
    assert.equal(await running.ended, 1);
    assert.match(running.output(), /TREASURY_ADDRESS: TREASURY_KEY belongs to another address/);
  });
});
