import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { removeOldKeys } from '../../server/idempotency/run-idempotent.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '1000', LIMIT_REGISTRATIONS_PER_HOUR: '1000', TRUSTED_PROXIES: '127.0.0.0/8' },
});
const { url, service, clock } = world;
const { db } = service.deps;
const [agent, poster] = [await registerAgent(url), await registerPoster(url)];
const HOUR_MS = 3_600_000;

const agentBody = {
  agent_name: 'Repeater',
  description: 'An agent that sends everything twice, to be sure.',
  specializations: ['logo-design'],
};

type Sent = { method: string; path: string; body: object; key?: string; address?: string };

function send({ method, path, body, key, address }: Sent, idempotencyKey: string | null): Promise<Answer> {
  return call(url, method, path, {
    body,
    ...(key ? { key } : {}),
    headers: {
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      ...(address ? { 'x-forwarded-for': address } : {}),
    },
  });
}

const registration: Sent = { method: 'POST', path: '/agents/create', body: agentBody, address: '198.51.100.7' };
const posterRegistration: Sent = { method: 'POST', path: '/posters/create', body: { poster_name: 'Repeater' } };
const draft = (): Sent => ({ method: 'POST', path: '/posters/me/projects', body: brief(), key: poster.key });
async function intent(key = agent.key, deadline = new Date(clock.now().getTime() + 2 * HOUR_MS)): Promise<Sent> {
  const { id } = await openProject(world, { poster, deadline });
  return { method: 'POST', path: `/agents/projects/${id}/intent`, body: { title: 'Lighthouse' }, key };
}

const newKey: Sent = {
  method: 'POST',
  path: '/agents/me/keys',
  body: { name: 'second', scope: 'read' },
  key: agent.key,
};

const newPosterKey: Sent = { ...newKey, path: '/posters/me/keys', key: poster.key };

const webhook = (path: string, { key }: { key: string }, body: object): Sent => ({ method: 'POST', path, body, key });
const hook = 'https://agent.example/hooks';

type Table = 'agents' | 'api_keys' | 'posters' | 'projects' | 'submissions' | 'webhook_endpoints';
async function rowsOf(table: Table): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from ${db(table)}`;
  return row!.count;
}

function isReplay(answer: Answer, first: Answer): void {
  assert.equal(answer.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual([answer.status, answer.body], [first.status, first.body]);
  assert.ok(answer.headers.has('x-ratelimit-remaining'), 'it was counted as a request');
}

afterEach(() => {
  clock.offsetMs = 0;
});

describe('an Idempotency-Key', () => {
  const cases = {
    createAgent: { sent: async () => registration, table: 'agents' },
    createPoster: { sent: async () => posterRegistration, table: 'posters' },
    draftProject: { sent: async () => draft(), table: 'projects' },
    createIntent: { sent: () => intent(), table: 'submissions' },
    createKey: { sent: async () => newKey, table: 'api_keys' },
    createPosterKey: { sent: async () => newPosterKey, table: 'api_keys' },
    createAgentWebhook: {
      sent: async () => webhook('/agents/me/webhooks', agent, { url: hook, types: ['SUBMISSION.WON'] }),
      table: 'webhook_endpoints',
    },
    createPosterWebhook: {
      sent: async () => webhook('/posters/me/webhooks', poster, { url: hook, types: ['ENTRY.CONFIRMED'] }),
      table: 'webhook_endpoints',
    },
  } as const;

  it('is accepted by operations that must not create twice', () => {
    const taking = Object.values(operations).filter((spec) => 'idempotent' in spec);
    // A question has a bound of a day. test/webhooks/account-webhooks.test.ts repeats a new secret.
    const elsewhere = ['askQuestion', 'rotateAgentWebhookSecret', 'rotatePosterWebhookSecret'];
    const all = [...Object.keys(cases), ...elsewhere];
    assert.deepEqual(taking.map(({ id }) => id).toSorted(), all.toSorted());
  });

  for (const [name, { sent, table }] of Object.entries(cases)) {
    it(`${name}: performs the same request once and repeats the answer word for word`, async () => {
      const [request, key] = [await sent(), randomUUID()];
      const before = await rowsOf(table);
      const first = expectStatus(await send(request, key), 201);
      assert.equal(first.headers.get('idempotency-replayed'), null);
      isReplay(await send(request, key), first);
      // The key as the IETF draft spells it, and the body's members in another order.
      const reordered = Object.fromEntries(Object.entries(request.body).toReversed());
      isReplay(await send({ ...request, body: reordered }, `"${key}"`), first);
      assert.equal((await rowsOf(table)) - before, 1);
    });
  }

  it('refuses another body and does nothing', async () => {
    const [request, key] = [draft(), randomUUID()];
    expectStatus(await send(request, key), 201);
    const before = await rowsOf('projects');
    const other = { ...request, body: { ...request.body, title: 'Something else' } };
    codeIs(await send(other, key), 409, 'IDEMPOTENCY_KEY_REUSED');
    assert.equal(await rowsOf('projects'), before);
    assert.equal((await send(request, key)).status, 201);
  });

  it('performs one of many concurrent requests and gives the others its answer', async () => {
    const [request, key] = [await intent(), randomUUID()];
    const before = await rowsOf('submissions');
    const answers = await Promise.all(Array.from({ length: 24 }, () => send(request, key)));
    const done = answers.filter(({ status }) => status === 201);
    const [first] = done.filter(({ headers }) => headers.get('idempotency-replayed') === null);
    for (const answer of answers.filter((each) => each !== first)) {
      if (answer.status === 201) isReplay(answer, first!);
      else codeIs(answer, 409, 'IDEMPOTENCY_IN_PROGRESS');
    }
    assert.equal((await rowsOf('submissions')) - before, 1);
  });

  it('belongs to one caller and one operation', async () => {
    const [request, key] = [await intent(), randomUUID()];
    const other = await registerAgent(url);
    const [mine, theirs] = [await send(request, key), await send({ ...request, key: other.key }, key)];
    assert.notEqual(mine.body.data.submission.id, theirs.body.data.submission.id);
    const drafted = expectStatus(await send(draft(), key), 201);
    assert.equal(drafted.headers.get('idempotency-replayed'), null);
    // A lesser key cannot fetch the answer, although it belongs to the same account.
    const { apiKey: lesser } = expectStatus(await send(newKey, key), 201).body.data;
    codeIs(await send({ ...newKey, key: lesser }, key), 403, 'KEY_SCOPE');
    // A request for another project is a different request.
    codeIs(await send({ ...(await intent()), body: request.body }, key), 409, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('of a registration has no effect from another address', async () => {
    const key = randomUUID();
    const first = expectStatus(await send(registration, key), 201);
    const elsewhere = expectStatus(await send({ ...registration, address: '198.51.100.8' }, key), 201);
    assert.notEqual(elsewhere.body.data.agentId, first.body.data.agentId);
    assert.equal(elsewhere.headers.get('idempotency-replayed'), null);
    const again = await send(registration, key);
    assert.equal((await call(url, 'GET', '/agents/me', { key: again.body.data.apiKey })).status, 200);
  });

  it('is refused if it is malformed', async () => {
    const bad = ['', ' ', '""', 'with space', 'x'.repeat(256), 'tab\there'];
    for (const key of bad)
      codeIs(await send(draft(), key), 400, 'VALIDATION_ERROR', /^Validation failed: idempotency-key: 1 to 255/);
    codeIs(await send(registration, 'too-short-a-key'), 400, 'VALIDATION_ERROR', /16 to 255/);
    expectStatus(await send(registration, 'just-long-enough'), 201);
    expectStatus(await send(draft(), 'x'.repeat(255)), 201);
  });

  it('repeats the answer even if the request would fail by now', async () => {
    const [request, key] = [draft(), randomUUID()];
    const first = expectStatus(await send(request, key), 201);
    clock.offsetMs = 2 * HOUR_MS;
    codeIs(await send(request, randomUUID()), 400, 'VALIDATION_ERROR');
    isReplay(await send(request, key), first);
  });

  it('is free again after a refusal, which changed nothing', async () => {
    const other = await registerAgent(url);
    const deadline = clock.now().getTime() + 2 * HOUR_MS;
    const [request, key] = [await intent(other.key, new Date(deadline)), randomUUID()];
    await clock.at(deadline - 15_000, async () => {
      codeIs(await send(request, key), 409, 'PROJECT_DEADLINE_TOO_CLOSE');
      codeIs(await send({ ...request, body: {} }, key), 400, 'VALIDATION_ERROR');
    });
    const answer = expectStatus(await send({ ...request, body: { title: 'Another title' } }, key), 201);
    assert.equal(answer.headers.get('idempotency-replayed'), null);
  });

  it('is remembered for 24 hours and then removed', async () => {
    await db`delete from idempotency_keys`;
    const [request, key] = [
      { ...draft(), body: brief({ deadline: new Date(Date.now() + 48 * HOUR_MS) }) },
      randomUUID(),
    ];
    const at = clock.now().getTime();
    const first = expectStatus(await clock.at(at, () => send(request, key)), 201);
    isReplay(await clock.at(at + 24 * HOUR_MS - 1, () => send(request, key)), first);
    clock.offsetMs = 24 * HOUR_MS;
    // The key has expired, although the service has not removed it yet.
    const anew = expectStatus(await send(request, key), 201);
    assert.equal(anew.headers.get('idempotency-replayed'), null);
    assert.notEqual(anew.body.data.project.id, first.body.data.project.id);
    isReplay(await send(request, key), anew);

    await db`
      insert into idempotency_keys (id, fingerprint, answer, created_at)
      select sha256(n::text::bytea), sha256('f'), ''::bytea, ${clock.now()}::timestamptz - interval '25 hours'
      from generate_series(1, 2500) as n`;
    const stopping = new AbortController();
    // The timer of the service removes some of them too.
    await until('the old keys are gone', async () => {
      await removeOldKeys(service.deps, stopping.signal);
      const old = await db`
        select 1 from idempotency_keys where created_at < ${clock.now()}::timestamptz - interval '24 hours' limit 1`;
      return old.length === 0;
    });
    isReplay(await send(request, key), anew);
    stopping.abort();
    assert.equal(await removeOldKeys(service.deps, stopping.signal), 0);
  });

  it('stores nothing that the database alone could reveal', async () => {
    const key = randomUUID();
    const { apiKey, agentId } = expectStatus(await send(registration, key), 201).body.data;
    const rows = await db<{ id: Buffer; fingerprint: Buffer; answer: Buffer }[]>`select * from idempotency_keys`;
    for (const { id, fingerprint, answer } of rows) {
      const text = Buffer.concat([id, fingerprint, answer]).toString('latin1');
      for (const secret of [key, apiKey, agentId, 'Repeater', 'apiKey']) assert.ok(!text.includes(secret), secret);
    }
    // The service's own secret cannot decrypt the answer without the client's key.
    const scope = 'createAgent 198.51.100.7';
    const mine = service.deps.answerSeals.of(scope, key);
    const row = rows.find(({ id }) => id.equals(mine.id))!;
    assert.match(mine.open(row.answer), new RegExp(apiKey));
    assert.throws(() => service.deps.answerSeals.of(scope, randomUUID()).open(row.answer));
    assert.throws(() => service.deps.answerSeals.of('createAgent 198.51.100.8', key).open(row.answer));
  });
});
