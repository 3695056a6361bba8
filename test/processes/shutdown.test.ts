import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, it } from 'node:test';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { testDatabase } from '../support/test-database.ts';
import { startChain } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import type { X402Payment } from '../../server/ports/facilitator.ts';
import { createInProcessFacilitator } from '../../server/x402/in-process-facilitator.ts';
import { networks } from '../../server/chain/networks.ts';
import { newPayer, signPayment } from '../support/clients/client.ts';
import { createIntent, expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { MAIN, type RunningProcess, startScript, until, untilReady } from '../support/processes/processes.ts';
import { removeFolder } from '../support/remove-folder.ts';

// An orderly shutdown lets running work finish: here, a payment with a slow settlement.

const network = networks['eip155:84532'];
const closers: (() => Promise<unknown> | void)[] = [];
after(async () => {
  for (const close of closers.toReversed()) await close();
});
const folder = await mkdtemp(join(tmpdir(), 'concours-shutdown-'));
closers.push(() => removeFolder(folder));
const { db, url: databaseUrl } = await testDatabase();
const key = generatePrivateKey();
const log = pino({ level: 'silent' });
const chain = await startChain({ dataDir: folder, facilitatorAddress: privateKeyToAddress(key), log });
closers.push(() => chain.stop());
const real = createInProcessFacilitator({
  rpcUrl: chain.rpcUrl,
  network,
  keys: [key],
  log,
  db,
  holder: 'shutdown test',
  pollMs: 10,
});

/** Receives the function that lets a settlement continue. By default, the settlement continues at once. */
let onSettle = (goOn: () => void) => goOn();
const facilitatorUrl = await serveFacilitator();

type FacilitatorRequest = { x402Version: number; paymentPayload: unknown; paymentRequirements: unknown };

async function serveFacilitator(): Promise<string> {
  const kinds = [
    { x402Version: 2, scheme: 'exact', network: network.id },
    { x402Version: 1, scheme: 'exact', network: network.v1Name },
  ];
  const answerOf = async (path: string | undefined, body: unknown) => {
    if (path === '/supported') return { kinds, extensions: [], signers: {} };
    const { x402Version, paymentPayload: payload, paymentRequirements: requirements } = body as FacilitatorRequest;
    const payment = { x402Version, payload, requirements } as X402Payment;
    if (path === '/verify') return await real.verify(payment);
    await new Promise<void>((goOn) => onSettle(goOn));
    return { ...(await real.settle(payment)), network: network.id };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = request.method === 'POST' ? await json(request) : null;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await answerOf(request.url, body)));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(): Promise<{ running: RunningProcess; url: string }> {
  const port = await freePort();
  const env = {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl,
    RPC_URL: chain.rpcUrl,
    FACILITATOR_URL: facilitatorUrl,
  };
  const running = startScript(MAIN, [], { env });
  closers.push(() => running.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await untilReady(running, url);
  return { running, url };
}

it('a service that receives SIGTERM accepts no new request and finishes a running payment', async () => {
  const { running, url } = await start();
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
});
