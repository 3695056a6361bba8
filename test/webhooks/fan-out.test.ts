import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, it } from 'node:test';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { testDatabase } from '../support/test-database.ts';
import { startChain } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { derivedKey } from '../../server/keys/derived-key.ts';
import { createWebhookSecrets } from '../../server/webhooks/delivery/secrets.ts';
import { MAIN, type RunningProcess, startScript, until, untilReady } from '../support/processes/processes.ts';
import { startReceivers } from '../support/webhooks/receivers.ts';
import { seedEvent, seedSubscriptions } from '../support/webhooks/sender-world.ts';
import { removeFolder } from '../support/remove-folder.ts';

// Fan-outs from processes with `--role=worker` to HTTPS receivers in a separate process.

const { db, url: databaseUrl } = await testDatabase();
const secretsKey = randomBytes(32).toString('hex');
const secrets = createWebhookSecrets({ key: derivedKey(secretsKey, 'webhook secrets'), randomBytes });
const folder = await mkdtemp(join(tmpdir(), 'concours-fan-out-'));
const [facilitatorKey, treasuryKey] = [generatePrivateKey(), generatePrivateKey()];
const receivers = await startReceivers({ flaws: ['none', 'expired', 'hangsUp'] });
const chain = await startChain({
  dataDir: folder,
  facilitatorAddress: privateKeyToAddress(facilitatorKey),
  log: pino({ level: 'silent' }),
});
let workers: RunningProcess[] = [];

after(async () => {
  await Promise.all(workers.map((worker) => worker.kill('SIGKILL')));
  await Promise.all([receivers.stop(), chain.stop()]);
  await removeFolder(folder);
});

before(async () => {
  const caFile = join(folder, 'authority.pem');
  await writeFile(caFile, receivers.ca);
  workers = await Promise.all([startWorker(caFile), startWorker(caFile)]);
});

beforeEach(async () => {
  await db`truncate webhook_retries, webhook_attempts, webhook_fan_outs, webhook_events, webhooks`;
  await receivers.forget();
});

async function startWorker(caFile: string): Promise<RunningProcess> {
  const port = await freePort();
  const worker = startScript(MAIN, ['--role=worker'], {
    env: {
      NODE_ENV: 'development',
      // The worker checks the receivers' certificates like any others.
      NODE_EXTRA_CA_CERTS: caFile,
      PORT: String(port),
      DATA_DIR: join(folder, `worker-${port}`),
      DATABASE_URL: databaseUrl,
      RPC_URL: chain.rpcUrl,
      TREASURY_KEY: treasuryKey,
      FACILITATOR_KEY: facilitatorKey,
      SECRETS_KEY: secretsKey,
      // This allows 16 concurrent first attempts, so a few silent endpoints exceed the capacity of both processes.
      WEBHOOK_POOL: '32',
    },
  });
  await untilReady(worker, `http://127.0.0.1:${port}`);
  return worker;
}

const host = (n: number) => `s-${n}.receivers.localhost`;

function written(): Promise<true> {
  return until('every part of the fan-out', async () => {
    const [{ open }] = await db<[{ open: boolean }]>`
      select exists (select 1 from webhook_fan_outs where done_at is null) as open`;
    return open ? null : true;
  });
}

/** Waits until no retry row is due. On a busy machine, a slow first attempt moves to a retry row. */
function settled(): Promise<true> {
  return until('the outcome of everything', async () => {
    const rows = await db`select 1 from webhook_retries where due_at is not null limit 1`;
    return rows.length > 0 ? null : true;
  });
}

it('two processes reach each subscriber once over TLS and leave only attempt rows', async () => {
  const at = new Date();
  const all = await seedSubscriptions(db, secrets, {
    count: 800,
    at,
    urlOf: (n, id) => receivers.url(`/ok/${id}`, { host: host(n) }),
  });
  const eventId = await seedEvent(db, at);
  await written();
  await settled();
  const { counts, requests, duplicates, total } = await receivers.received();
  assert.equal(total, 800);
  assert.equal(duplicates, 0);
  assert.deepEqual(Object.keys(counts).toSorted(), all.map(({ id }) => `/ok/${id}`).toSorted());
  assert.ok(requests.every(({ headers }) => headers['webhook-id'] === eventId));
  const [rows] = await db<[{ attempts: number; transactions: number }]>`
    select count(*)::int as attempts, count(distinct xmin::text)::int as transactions
    from webhook_attempts where outcome = 'delivered'`;
  assert.equal(rows.attempts, 800);
  assert.ok(rows.transactions <= 80, `${rows.transactions} transactions for 800 attempts`);
});

it('fast endpoints get the event before silent ones time out', async () => {
  const at = new Date();
  // Two in three never respond, have an expired certificate, or hang up. 52 never respond: more than may be in flight.
  const urlOf = (n: number, id: string) => {
    if (n % 3 === 0) return receivers.url(`/ok/${id}`, { host: host(n) });
    if (n % 9 === 1) return receivers.url(`/ok/${id}`, { host: host(n), flaw: 'expired' });
    if (n % 9 === 2) return receivers.url(`/ok/${id}`, { host: host(n), flaw: 'hangsUp' });
    return receivers.url(`/never/${id}`, { host: host(n) });
  };
  await seedSubscriptions(db, secrets, { count: 117, at, urlOf });
  const eventId = await seedEvent(db, at);
  await until('a timeout', async () => {
    const rows = await db`select 1 from webhook_attempts where failure = 'timeout'`;
    return rows.length > 0;
  });
  await written();
  // On a busy machine, some may have been handed over to retry rows, whose outcomes are written a little later.
  await until('everyone who answers', async () => {
    const rows = await db`select 1 from webhook_attempts where event_id = ${eventId} and outcome = 'delivered'`;
    return rows.length >= 39;
  });
  const [row] = await db<[{ delivered: number; last: Date; timeout: Date }]>`
    select count(*) filter (where outcome = 'delivered')::int as delivered,
      max(at + latency_ms * interval '1 ms') filter (where outcome = 'delivered') as last,
      min(at + latency_ms * interval '1 ms') filter (where failure = 'timeout') as timeout
    from webhook_attempts where event_id = ${eventId}`;
  assert.equal(row.delivered, 39);
  assert.ok(
    row.last < row.timeout,
    `the last was reached at ${row.last.toISOString()}, the first timed out at ${row.timeout.toISOString()}`,
  );
  const failures = await db<{ failure: string }[]>`
    select distinct failure from webhook_attempts where failure is not null order by failure`;
  assert.deepEqual(
    failures.map(({ failure }) => failure),
    ['connection', 'timeout', 'tls'],
  );
});
