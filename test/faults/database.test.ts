import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import pino from 'pino';
import { startPostgres } from '../../server/devnet/postgres.ts';
import { type Answer, call, fund, newPayer, signPayment } from '../support/clients/client.ts';
import {
  assertBooks,
  createIntent,
  expectStatus,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { openStream } from '../support/clients/event-stream.ts';
import { startRelay } from '../support/servers/relay.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { removeFolder } from '../support/remove-folder.ts';

// A PostgreSQL server stops, returns, and freezes under a service that never restarts.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;

const dataDir = await mkdtemp(join(tmpdir(), 'concours-faults-pg-'));
const options = { dataDir, password: randomBytes(12).toString('hex'), log: pino({ level: 'silent' }), durable: false };
let server = await startPostgres(options);
const relay = await startRelay(Number(new URL(server.url).port));
const databaseUrl = new URL(server.url);
databaseUrl.port = String(relay.port);

const world = await startWorld({
  logsErrors: true,
  databaseUrl: databaseUrl.toString(),
  paymentTimes: { waitMs: 5_000, leaseMs: 1_000 },
  env: { LIMIT_PAYMENTS_PER_HOUR: '10000' },
});
const { url } = world;
after(async () => {
  await server.stop();
  await removeFolder(dataDir);
});

const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });

async function enter() {
  const agent = await registerAgent(url);
  const intent = await createIntent(url, agent.key, project.id);
  const payer = newPayer();
  await fund(url, payer.address, FUNDS_MICRO / 1e6);
  const ask = (headers: Record<string, string> = {}) =>
    requestUpload(url, { key: agent.key, projectId: project.id, submissionId: intent.id, sizeBytes: 1_000, headers });
  const payment = await signPayment(payer, expectStatus(await ask(), 402));
  const balanceMicro = () => world.service.deps.chain.balanceMicro(payer.address);
  return { agent, ask, payment, balanceMicro };
}

function assertDatabaseError(answer: Answer, status = 503): void {
  expectStatus(answer, status);
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.equal(answer.body.error.code, 'DATABASE_ERROR');
  assert.doesNotMatch(JSON.stringify(answer.body), /postgres|ECONN|CONNECT|127\.0\.0\.1|select|insert/i);
}

async function readiness(): Promise<{ status: number; parts: Record<string, boolean> }> {
  const response = await fetch(`${url}/readyz`);
  const { parts } = (await response.json()) as { parts: Record<string, boolean> };
  return { status: response.status, parts };
}

async function assertBooksAreTheChain(): Promise<void> {
  // The pool can hand out a connection that died during the outage once more.
  await until('the books', async () => {
    const answer = await call(url, 'GET', '/operator/ledger', { key: world.operatorKey });
    return answer.status === 200;
  });
  await assertBooks(world);
}

describe('a service without its database', () => {
  it('answers DATABASE_ERROR, is not ready, takes no money, and recovers without a restart', async () => {
    const { agent, ask, payment, balanceMicro } = await enter();
    await Promise.all([server.stop(), relay.cut()]);
    assertDatabaseError(await call(url, 'GET', '/agents/me/keys', { key: agent.key }));
    assertDatabaseError(await call(url, 'GET', `/agents/projects/${project.id}`, { key: agent.key }));
    assertDatabaseError(await ask(payment));
    await until('the breaker is open', () => Promise.resolve(world.service.deps.breaker.isOpen()));
    const asked = await fetch(`${url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${agent.key}` } });
    assert.equal(asked.status, 503, 'a key that this process knows');
    // The specification demands 500 for this operation alone.
    const webhook = { webhook_url: 'http://127.0.0.1:9/' };
    assertDatabaseError(await call(url, 'POST', '/agents/webhooks/projects', { key: agent.key, body: webhook }), 500);
    assert.deepEqual(await readiness(), { status: 503, parts: { database: false } });
    assert.equal((await fetch(`${url}/healthz`)).status, 200, 'it need not be restarted');
    assert.equal(await balanceMicro(), FUNDS_MICRO);

    server = await startPostgres(options);
    await relay.mend(Number(new URL(server.url).port));
    await until('the service comes back', async () => (await readiness()).status === 200);
    // The pool can hand out a connection that died during the outage once more.
    await until('every connection', async () => {
      const answer = await call(url, 'GET', '/agents/me/keys', { key: agent.key });
      return answer.status === 200;
    });
    // Each connection that died fails one request, and the same payment may be sent again after any of them.
    await until('the upload', async () => (await ask(payment)).status === 200);
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
    await assertBooksAreTheChain();
  });

  it('answers within its own time limit while the database is frozen', async () => {
    const { agent, ask, payment, balanceMicro } = await enter();
    relay.hold();
    const events = { key: agent.key, headers: { accept: 'text/event-stream' } };
    try {
      const [read, first, second] = await Promise.all([
        call(url, 'GET', '/agents/me/keys', { key: agent.key }),
        call(url, 'GET', '/agents/me/events', events),
        call(url, 'GET', '/agents/me/events', events),
        // It believes a probe of the last second.
        until('it is not ready', async () => (await readiness()).status === 503),
      ]);
      for (const answer of [read, first, second]) assertDatabaseError(answer);
    } finally {
      // Also after a failure: the service does not end before its statements do.
      await relay.mend();
    }
    await until('the service comes back', async () => (await readiness()).status === 200);
    // A connection can have died meanwhile.
    await until('the upload', async () => (await ask(payment)).status === 200);
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
    await assertBooksAreTheChain();
    // The two that nobody waited for any more hold no place.
    await until('a place for a stream', async () => {
      const stream = await openStream(url, '/agents/me/events', { authorization: `Bearer ${agent.key}` });
      stream.close();
      return stream.status === 200;
    });
  });
});
