import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { ChainUnavailable } from '../../server/ports/chain.ts';
import { StorageError } from '../../server/ports/storage.ts';
import { dumpOf, foundIn } from '../support/secrets/canaries.ts';
import { type Answer, call, fund, newPayer, signPayment } from '../support/clients/client.ts';
import { entriesOf } from '../support/clients/entries.ts';
import { openProject, requestUpload } from '../support/clients/journey.ts';
import { callOperation, keyFor, newKeys } from '../support/clients/requests.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

let fault: 'facilitator' | 'chain' | 'storage' | 'database' | 'unforeseen' | null = null;
/** The input of a dependency, which its error could reveal. */
let told = '';

type Make = (message: string, cause: Error) => Error;

/** Throws the worst possible error: the input is in its message, in its cause, and in a property. */
function failure(make: Make): Promise<never> {
  const cause = new Error(`Request body: {"params":["${told}"]}`);
  const hanging = { config: { data: told }, detail: told, query: told };
  const failed = Promise.reject(Object.assign(make(`request failed: ${told}`, cause), hanging));
  failed.catch(() => {});
  return failed;
}

function failing<Part extends object>(part: Part, when: () => boolean, make: Make): Part {
  const isFunction = (name: string | symbol) => typeof Reflect.get(part, name) === 'function';
  return new Proxy(part, {
    apply: (target, self, args) =>
      when() && 'raw' in args[0] ? failure(make) : Reflect.apply(target as () => unknown, self, args),
    get: (target, name) => (when() && isFunction(name) ? () => failure(make) : (Reflect.get(target, name) as unknown)),
  });
}

const isDatabaseFault = () => fault === 'database' || fault === 'unforeseen';

function indiscreet(world: World): Partial<World> {
  const { facilitator, chain, storage, db, reads, views, searches, searchReads } = world;
  const plain: Make = (message, cause) => new Error(message, { cause });
  const database: Make = (message, cause) =>
    Object.assign(plain(message, cause), fault === 'database' ? { code: 'CONNECTION_CLOSED' } : {});
  return {
    facilitator: failing(facilitator, () => fault === 'facilitator', plain),
    chain: failing(
      chain,
      () => fault === 'chain',
      (_, cause) => new ChainUnavailable(cause),
    ),
    storage: failing(
      storage,
      () => fault === 'storage',
      (message, cause) => new StorageError(message, cause),
    ),
    db: failing(db, isDatabaseFault, database),
    reads: failing(reads, isDatabaseFault, database),
    views: failing(views, isDatabaseFault, database),
    searches: failing(searches, isDatabaseFault, database),
    searchReads: failing(searchReads, isDatabaseFault, database),
  };
}

const limits = [
  'FAILED_PAYMENTS_PER_HOUR',
  'PAYMENTS_PER_HOUR',
  'AGENT_OPERATIONS_PER_HOUR',
  'AGENT_READS_PER_MINUTE',
  'AGENT_ACCOUNT_PER_MINUTE',
  'POSTER_PER_MINUTE',
  'WEBHOOK_TESTS_PER_HOUR',
];
const world = await startWorld({
  wrap: indiscreet,
  logLevel: 'debug',
  env: Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, '100000'])),
});
const { url, operatorKey, logLines } = world;
const { enter } = entriesOf(world);
const keys = await newKeys(world);
const payer = newPayer();
await fund(url, payer.address, 5);
const project = await openProject(world);
const entry = await enter(project.id);
// The submission is paid, so that its upload request reaches the storage.
const paid = await enter(project.id);
await requestUpload(url, { ...paid, fetch: payer.pay });
const payment = await signPayment(payer, await requestUpload(url, entry));
// Register twice, so that the webhook has a current and a previous secret. Nothing listens at port 1.
const registerWebhook = async (): Promise<string> => {
  const body = { webhook_url: 'http://127.0.0.1:1/hooks' };
  const answer = await call(url, 'POST', '/agents/webhooks/projects', { key: entry.key, body });
  return answer.body.data.webhook_secret as string;
};
const webhookSecrets = [await registerWebhook(), await registerWebhook()] as const;
// From here on, do not wait for answers that never come.
world.service.deps.payments.waitMs = 200;
const header = payment['PAYMENT-SIGNATURE']!;
const { payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
  payload: { signature: string; authorization: { nonce: string } };
};
const planted = `planted-${randomBytes(20).toString('hex')}`;

const secrets: Record<string, string> = {
  "an agent's key": keys.agent,
  "another agent's key": entry.key,
  "a poster's key": keys.poster,
  "the operator's key": operatorKey,
  "a webhook's secret": webhookSecrets[1],
  "a webhook's replaced secret": webhookSecrets[0],
  'a wrong key': `ck_test_${planted}`,
  'a signature': payload.signature,
  'a signed nonce': payload.authorization.nonce,
  'a payment': header,
  "a payer's private key": `0x${randomBytes(32).toString('hex')}`,
};
const answers: Answer[] = [];
const remember = async (answer: Promise<Answer>) => {
  const given = await answer;
  if (given.status >= 400) answers.push(given);
  return given;
};

async function everythingWith(key: { key?: string }, spec: (typeof everyOperation)[number]): Promise<void> {
  const params = { project_id: project.id, submission_id: entry.submissionId, projectId: project.id };
  // Run this operation last, because it ends the key. By then, the test has seen all others.
  if (spec.id === 'rotateKey' && fault === null) return;
  const headers = { cookie: `session=${planted}` };
  const sends = (body: object) => (spec.method === 'get' ? {} : body);
  await remember(callOperation(url, spec, { ...key, headers, ...sends({ body: { note: told } }) }));
  await remember(
    callOperation(url, spec, { ...key, params, headers: { ...headers, ...payment }, ...sends({ raw: told }) }),
  );
}

describe('secrets', () => {
  for (const part of ['facilitator', 'chain', null, 'storage', 'database', 'unforeseen'] as const) {
    it(`pass through every operation, ${part ? `while errors of the ${part} repeat its input` : 'without a failure'}`, async () => {
      told = Object.values(secrets).join(' ; ');
      for (const spec of everyOperation) {
        fault = part;
        await everythingWith(keyFor(spec, keys), spec);
        await everythingWith({ key: secrets['a wrong key']! }, spec);
        await remember(requestUpload(url, { ...entry, headers: payment }));
        await remember(requestUpload(url, paid));
        await remember(
          requestUpload(url, { ...entry, headers: { 'x-payment': Buffer.from(told).toString('base64') } }),
        );
        await remember(
          call(url, 'GET', `/agents/projects?cursor=${planted}&created_after=${planted}`, { key: keys.agent }),
        );
        await remember(call(url, 'GET', `/no/such/route`, { key: keys.agent }));
        await remember(call(url, 'POST', '/agents/webhooks/projects/test', { key: entry.key }));
        fault = null;
      }
    });
  }

  it('took part in failures of every kind', () => {
    const codes = new Set(answers.map(({ body }) => body.error.code));
    for (const code of [
      'DATABASE_ERROR',
      'INTERNAL_ERROR',
      'STORAGE_ERROR',
      'INVALID_API_KEY',
      'VALIDATION_ERROR',
      'PAYMENT_FAILED',
      'NOT_FOUND',
    ])
      assert.ok(codes.has(code), code);
    const messages = new Set(logLines.map((line) => (JSON.parse(line) as { msg: string }).msg));
    for (const message of [
      'request',
      'database failure',
      'storage failure',
      'unexpected failure',
      'chain failure',
      'the facilitator did not verify a payment',
    ])
      assert.ok(messages.has(message), message);
  });

  for (const [name, secret] of Object.entries(secrets)) {
    it(`${name} is in no log line and in no answer that reports a failure`, () => {
      // Search for any part that is long enough to be useful. All payments and all keys share the same beginning.
      const parts = [secret, secret.slice(30, 62), secret.slice(-32)].map((part) => part.toLowerCase());
      const where = (text: string) => parts.some((part) => text.toLowerCase().includes(part));
      assert.deepEqual(logLines.filter((line) => where(line)).slice(0, 3), []);
      assert.deepEqual(answers.filter(({ body }) => where(JSON.stringify(body.error))).slice(0, 3), []);
    });
  }

  it('are not among the log fields of a request', () => {
    const lines = logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request');
    const fields = new Set(lines.flatMap((line) => Object.keys(line)));
    assert.deepEqual([...fields].toSorted(), ['level', 'ms', 'msg', 'operation', 'requestId', 'status', 'time']);
    assert.ok(lines.length > everyOperation.length);
    assert.ok(lines.some(({ operation }) => operation === operations.requestUpload.id));
  });

  it('are nowhere in a dump of the database, neither as text nor as bytes', async () => {
    const { db } = world.service.deps;
    const [row] = await db<{ secrets: number }[]>`
      select count(secret)::int + count(previous_secret)::int as secrets from webhooks`;
    assert.ok(row!.secrets >= 2);
    const dump = await dumpOf(db);
    // Nonces are public on the chain, so they are not secret.
    const { 'a signed nonce': nonce, ...hidden } = secrets;
    assert.ok(nonce && dump.get('payments')?.includes(payer.address));
    for (const [table, rows] of dump) assert.deepEqual(foundIn(rows, new Map(Object.entries(hidden))), [], table);
  });
});
