import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { agentWebhookEvent, posterWebhookEvent } from '../../contract/events/events.ts';
import { type NewEvent, recordEvents } from '../../server/events/public.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { orderedId } from '../support/ordered-ids.ts';
import { until } from '../support/processes/processes.ts';
import { localReceiver } from '../support/webhooks/local-receiver.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Further endpoints of agents and posters get the events of the log.

const world = await startWorld({ env: { LIMIT_AGENT_PER_MINUTE: '2000' } });
const { url, clock, operatorKey, service } = world;
const { db } = service.deps;

const { address, received } = await localReceiver();
const at = (path: string) => received.filter((each) => each.path === path && each.body.event !== 'TEST');
type Kind = 'agents' | 'posters';
type Owner = { kind: Kind; key: string; id: string; path: string };

async function owner(kind: Kind): Promise<Owner> {
  const registered = kind === 'agents' ? await registerAgent(url) : await registerPoster(url);
  return { kind, ...registered, path: `/${kind}/me/webhooks` };
}
let paths = 0;
const newPath = (prefix = '') => `${prefix}/endpoint${(paths += 1)}`;
const ask = async ({ key, path }: Owner, method: string, rest = '', body?: object) =>
  await call(url, method, `${path}${rest}`, { key, ...(body ? { body } : {}) });
const typesOf = (kind: Kind) =>
  kind === 'agents' ? ['SUBMISSION.WON', 'WEBHOOK.DISABLED'] : ['ENTRY.CONFIRMED', 'WEBHOOK.DISABLED'];

async function add(of: Owner, path: string, { types = typesOf(of.kind), verified = true } = {}) {
  const answer = expectStatus(await ask(of, 'POST', '', { url: `${address}${path}`, types }), 201).body.data;
  const id = answer.webhook.id as string;
  if (verified) {
    const test = expectStatus(await ask(of, 'POST', `/${id}/test`), 200).body.data;
    assert.equal(test.delivered, true);
    const tested = received.find((each) => each.path === path)?.body;
    assert.equal((of.kind === 'agents' ? agentWebhookEvent : posterWebhookEvent).parse(tested).event, 'TEST');
  }
  return { id, secret: answer.webhook_secret as string, signing: answer.signing_secret as string, path };
}

const ids = { project_id: randomUUIDv7(), submission_id: randomUUIDv7() };

/** Writes an event as a change of the account does, and returns its id. */
async function happen(of: Owner, { id = orderedId() }: { id?: string } = {}): Promise<string> {
  const event: NewEvent =
    of.kind === 'agents'
      ? { id, agent: of.id, type: 'SUBMISSION.WON', data: { ...ids, amount_micro: 1_000_000, has_wallet: true } }
      : { id, poster: of.id, type: 'ENTRY.CONFIRMED', data: { ...ids, total_submissions: 3 } };
  await db.begin((tx) => recordEvents(service.deps, tx, clock.now(), [event]));
  return id;
}

const deliveriesOf = async (of: Owner, id: string) =>
  expectStatus(await ask(of, 'GET', `/${id}/deliveries`), 200).body.data.deliveries;
const stateIs = async (of: Owner, id: string, state: string) =>
  await until(`a delivery is ${state}`, async () => (await deliveriesOf(of, id))[0]?.state === state);
const shownOf = async (of: Owner, id: string) =>
  expectStatus(await ask(of, 'GET'), 200).body.data.webhooks.find((each: { id: string }) => each.id === id);

describe('an endpoint', () => {
  for (const kind of ['agents', 'posters'] as const)
    it(`of ${kind} gets each event of its types once, signed, with the id that polling shows`, async () => {
      const of = await owner(kind);
      const [one, two, deaf] = [
        await add(of, newPath()),
        await add(of, newPath()),
        await add(of, newPath(), { types: ['WEBHOOK.DISABLED'] }),
      ];
      const stranger = await add(await owner(kind), newPath());
      const events = [await happen(of), await happen(of), await happen(of)];
      for (const { path, id, secret, signing } of [one, two]) {
        await until('the events', async () => at(path).length === 3);
        assert.deepEqual(new Set(at(path).map(({ headers }) => headers['webhook-id'])), new Set(events));
        for (const { headers, raw, body } of at(path)) {
          assert.ok(signing.startsWith('whsec_'));
          new Webhook(signing).verify(raw, headers as Record<string, string>);
          new Webhook(Buffer.from(secret, 'hex').toString('base64')).verify(raw, headers as Record<string, string>);
          assert.equal(body.id, headers['webhook-id']);
          assert.deepEqual(Object.keys(body), ['event', 'id', 'timestamp', 'signature', 'data']);
        }
        await until('the outcomes', async () =>
          (await deliveriesOf(of, id)).every(({ state }: { state: string }) => state === 'delivered'),
        );
      }
      assert.deepEqual([at(deaf.path).length, at(stranger.path).length], [0, 0]);
      const polled = expectStatus(await call(url, 'GET', `/${kind}/me/events`, { key: of.key }), 200).body.data.events;
      assert.deepEqual(
        polled.map(({ id }: { id: string }) => id),
        events,
      );
      const [newest] = await deliveriesOf(of, one.id);
      assert.deepEqual([newest.id, newest.attempts[0].status, newest.attempts[0].answer], [events[2], 200, 'thanks']);
    });

  it('shows the first KB of a failed answer, is retried, and is sent again on request', async () => {
    const of = await owner('agents');
    const bad = await add(of, newPath('/500'), { verified: false });
    await db`update webhook_endpoints set verified_at = ${clock.now()} where id = ${bad.id}`;
    const event = await happen(of);
    // The receiver sees the second request before its outcome is stored.
    await until('two attempts', async () => (await deliveriesOf(of, bad.id))[0]?.attempts.length === 2);
    const [shown] = await deliveriesOf(of, bad.id);
    assert.deepEqual([shown.type, shown.attempts.length, shown.attempts[1].status], [shown.type, 2, 500]);
    assert.equal(shown.attempts[1].answer.length, 1024);
    assert.ok(shown.next_attempt_at);
    assert.equal((await shownOf(of, bad.id)).status, 'failing');
    await ask(of, 'PATCH', `/${bad.id}`, { url: `${address}${bad.path.replace('/500', '')}` });
    assert.equal((await shownOf(of, bad.id)).verified_at, null);
    expectStatus(await ask(of, 'POST', `/${bad.id}/test`), 200);
    await stateIs(of, bad.id, 'delivered');
    const good = bad.path.replace('/500', '');
    expectStatus(await ask(of, 'POST', `/${bad.id}/deliveries/${event}/replay`), 200);
    await until('the replay', async () => at(good).length === 2);
    assert.deepEqual(
      at(good).map(({ headers }) => headers['webhook-id']),
      [event, event],
    );
    codeIs(await ask(of, 'POST', `/${bad.id}/deliveries/${randomUUIDv7()}/replay`), 404, 'NOT_FOUND');
  });

  it('that answers 410 is disabled, which the other endpoints hear', async () => {
    const of = await owner('agents');
    const [gone, other] = [await add(of, newPath('/410'), { verified: false }), await add(of, newPath())];
    const event = await happen(of);
    await until('the endpoint is disabled', async () => (await shownOf(of, gone.id)).status === 'disabled');
    await until('the other hears it', async () => at(other.path).some(({ body }) => body.event === 'WEBHOOK.DISABLED'));
    const told = at(other.path).find(({ body }) => body.event === 'WEBHOOK.DISABLED');
    assert.equal((told!.body.data as { webhook_id: string }).webhook_id, gone.id);
    codeIs(await ask(of, 'POST', `/${gone.id}/deliveries/${event}/replay`), 409, 'WEBHOOK_DISABLED');
    expectStatus(await ask(of, 'PATCH', `/${gone.id}`, { url: `${address}${newPath()}` }), 200);
    assert.equal((await shownOf(of, gone.id)).status, 'active');
  });

  it('changes its secret with an overlap, its types at once, and ends when deleted', async () => {
    const of = await owner('agents');
    const hook = await add(of, newPath());
    const headers = { 'idempotency-key': 'rotate' };
    const rotate = () => call(url, 'POST', `${of.path}/${hook.id}/rotate`, { key: of.key, headers });
    const rotated = expectStatus(await rotate(), 200).body.data;
    assert.deepEqual((await rotate()).body.data, rotated, 'a lost answer comes again');
    assert.notEqual(rotated.signing_secret, hook.signing);
    assert.ok(rotated.webhook.previous_secret_until);
    await happen(of);
    await until('the event', async () => at(hook.path).length === 1);
    for (const secret of [hook.signing, rotated.signing_secret as string])
      new Webhook(secret).verify(at(hook.path)[0]!.raw, at(hook.path)[0]!.headers as Record<string, string>);
    const again = expectStatus(await ask(of, 'POST', `/${hook.id}/rotate`), 200).body.data;
    assert.match(again.message, /The oldest one has ended early/);
    await ask(of, 'PATCH', `/${hook.id}`, { types: ['WEBHOOK.DISABLED'] });
    await happen(of);
    await until('the log is queued', async () => {
      const [row] =
        await db`select (select last from event_head) = (select position from event_consumers where name = 'webhooks') as done`;
      return row?.['done'] === true && (await db`select 1 from events where seq is null`).length === 0;
    });
    assert.equal((await deliveriesOf(of, hook.id)).length, 1);
    expectStatus(await ask(of, 'DELETE', `/${hook.id}`), 200);
    assert.deepEqual(expectStatus(await ask(of, 'GET'), 200).body.data.webhooks, []);
  });

  it('is one of five at most, also for requests at once', async () => {
    const of = await owner('agents');
    const body = { url: `${address}/many`, types: typesOf('agents') };
    const answers = await Promise.all(Array.from({ length: 7 }, () => ask(of, 'POST', '', body)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 5);
    codeIs(await ask(of, 'POST', '', body), 409, 'WEBHOOK_LIMIT_REACHED');
  });

  it('leads to the public internet only, and not to a crowded host', async () => {
    const of = await owner('agents');
    const types = typesOf('agents');
    const hook = await add(of, newPath());
    for (const bad of [
      'http://agent.example/',
      'https://10.0.0.1/',
      'https://[fe80::1]/',
      'https://a:b@agent.example/',
      'ftp://agent.example/',
      '',
    ]) {
      codeIs(await ask(of, 'POST', '', { url: bad, types }), 400, 'VALIDATION_ERROR');
      codeIs(await ask(of, 'PATCH', `/${hook.id}`, { url: bad }), 400, 'VALIDATION_ERROR');
    }
    const crowded = 'https://crowded.example/';
    for (let count = 0; count < 4; count += 1) {
      const one = await owner('agents');
      for (let each = 0; each < 5; each += 1) expectStatus(await ask(one, 'POST', '', { url: crowded, types }), 201);
    }
    codeIs(await ask(of, 'POST', '', { url: crowded, types }), 409, 'WEBHOOK_HOST_LIMIT');
    codeIs(await ask(of, 'PATCH', `/${hook.id}`, { url: crowded }), 409, 'WEBHOOK_HOST_LIMIT');
    const { key } = await registerAgent(url);
    const specified = async (webhook_url: string) =>
      await call(url, 'POST', '/agents/webhooks/projects', { key, body: { webhook_url } });
    codeIs(await specified(crowded), 409, 'WEBHOOK_HOST_LIMIT');
    codeIs(await specified('https://10.0.0.1/'), 400, 'VALIDATION_ERROR', /^Validation failed: webhook_url: /);
  });
});

describe('events of the market', () => {
  it('reach every agent once, and elite agents during early access', async () => {
    const [elite, starter] = [await owner('agents'), await owner('agents')];
    const types = ['PROJECT.CLOSING'];
    const [first, second] = [await add(elite, newPath(), { types }), await add(starter, newPath(), { types })];
    await db`update agents set tier = 'elite' where id = ${elite.id}`;
    const third = await add(elite, newPath(), { types });
    const now = clock.now();
    const visibleAt = new Date(now.getTime() + 60_000);
    const event = { market: { publishedAt: now, visibleAt }, type: 'PROJECT.CLOSING' as const };
    const data = { project_id: ids.project_id, closes_at: visibleAt.toISOString() };
    await db.begin((tx) => recordEvents(service.deps, tx, now, [{ ...event, data }]));
    // The clock moves past the leases: a delivery without its outcome would be sent again.
    const ended = async () =>
      await db`select from webhook_deliveries where type = ${event.type} and delivered_at is not null`;
    await until('the elite agent', async () => (await ended()).count === 2);
    assert.equal(at(first.path).length + at(third.path).length, 2);
    assert.equal(at(second.path).length, 0);
    clock.offsetMs += 61_000;
    await until('the other agent', async () => at(second.path).length === 1);
    assert.equal(at(first.path).length, 1);
    assert.equal(at(first.path)[0]!.headers['webhook-id'], at(second.path)[0]!.headers['webhook-id']);
  });
});

describe('the operator', () => {
  it('sees what failed, and disables an endpoint of a poster', async () => {
    const of = await owner('posters');
    const hook = await add(of, newPath('/500'), { verified: false });
    const id = await happen(of);
    await stateIs(of, hook.id, 'retrying');
    const path = `/operator/webhooks/deliveries?webhook_id=${hook.id}`;
    const [row] = expectStatus(await call(url, 'GET', path, { key: operatorKey }), 200).body.data.deliveries;
    assert.deepEqual(
      [row.id, row.event, row.project_id, row.poster_id],
      [id, 'ENTRY.CONFIRMED', ids.project_id, of.id],
    );
    const order = { key: operatorKey, body: { reason: 'Its network asked' } };
    const { webhook } = expectStatus(await call(url, 'POST', `/operator/webhooks/${hook.id}/disable`, order), 200).body
      .data;
    assert.deepEqual([webhook.status, webhook.poster_id, webhook.agent_id], ['disabled', of.id, null]);
    const told = async () =>
      (await call(url, 'GET', '/posters/me/events?types=WEBHOOK.DISABLED', { key: of.key })).body.data.events;
    await until('the event', async () => (await told()).length === 1);
  });
});
