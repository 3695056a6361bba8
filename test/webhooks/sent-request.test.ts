import assert from 'node:assert/strict';
import { createHmac, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { type NewEvent, recordEvents } from '../../server/events/public.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { orderedId } from '../support/ordered-ids.ts';
import { until } from '../support/processes/processes.ts';
import { localReceiver } from '../support/webhooks/local-receiver.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A delivery shows the request that was sent, so that an owner can compare it with what the endpoint got.

const world = await startWorld({ env: { LIMIT_WEBHOOK_TESTS_PER_HOUR: '1000' } });
const { url, clock, service, errors } = world;
const { db } = service.deps;
const { address, received } = await localReceiver();
const at = (path: string) => received.filter((each) => each.path === path && each.body.event !== 'TEST');

type Shown = {
  delivery: { id: string; state: string; attempts: { at: string }[] };
  request: { method: string; headers: Record<string, string>; body: string };
};

const read = async (path: string, key: string) =>
  expectStatus(await call(url, 'GET', path, { key }), 200).body.data as Shown;

/** Waits for the outcome, and compares the shown request with the one that the endpoint got. */
async function isWhatCame(path: string, { key, secret, hook }: { key: string; secret: string; hook: string }) {
  await until('the outcome', async () => (await read(path, key)).delivery.state === 'delivered');
  const { delivery, request } = await read(path, key);
  const [got = assert.fail('nothing came')] = at(hook);
  const { signature, ...rest } = JSON.parse(got.raw) as { signature: string };
  assert.equal(request.method, 'POST');
  assert.equal(request.body, got.raw.replace(`"signature":"${signature}",`, ''));
  // A receiver restores the signed text in either way of docs/agents.md.
  assert.equal(request.body, JSON.stringify(rest));
  assert.equal(`sha256=${createHmac('sha256', secret).update(request.body).digest('hex')}`, signature);
  assert.equal(request.headers['webhook-id'], delivery.id);
  for (const [name, value] of Object.entries(request.headers)) assert.equal(got.headers[name], value, name);
  const second = String(Math.floor(Date.parse(delivery.attempts[0]?.at ?? '') / 1000));
  assert.equal(got.headers['webhook-timestamp'], second);
  const text = JSON.stringify({ delivery, request });
  assert.doesNotMatch(text, /signature|whsec_/);
  assert.ok(!text.includes(secret));
}

const ids = { project_id: randomUUIDv7(), submission_id: randomUUIDv7() };

for (const kind of ['agents', 'posters'] as const)
  describe(`a delivery to an endpoint of ${kind}`, () => {
    it('shows the request, without what only the signer knows, to its owner alone', async () => {
      const register = kind === 'agents' ? registerAgent : registerPoster;
      const [owner, stranger] = [await register(url), await register(url)];
      const path = `/${kind}/me/webhooks`;
      const hook = `/sent-${kind}`;
      const types = [kind === 'agents' ? 'SUBMISSION.WON' : 'ENTRY.CONFIRMED'];
      const added = await call(url, 'POST', path, { key: owner.key, body: { url: `${address}${hook}`, types } });
      const { webhook, webhook_secret: secret } = expectStatus(added, 201).body.data;
      expectStatus(await call(url, 'POST', `${path}/${webhook.id}/test`, { key: owner.key }), 200);
      const id = orderedId();
      const event: NewEvent =
        kind === 'agents'
          ? { id, agent: owner.id, type: 'SUBMISSION.WON', data: { ...ids, amount_micro: 1_000_000, has_wallet: true } }
          : { id, poster: owner.id, type: 'ENTRY.CONFIRMED', data: { ...ids, total_submissions: 3 } };
      await db.begin((tx) => recordEvents(service.deps, tx, clock.now(), [event]));
      await until('the event', async () => at(hook).length === 1);
      const one = `${path}/${webhook.id}/deliveries/${id}`;
      await isWhatCame(one, { key: owner.key, secret, hook });
      codeIs(await call(url, 'GET', one, { key: stranger.key }), 404, 'NOT_FOUND');
      codeIs(await call(url, 'GET', one.replace(id, randomUUIDv7()), { key: owner.key }), 404, 'NOT_FOUND');
      codeIs(await call(url, 'GET', one.replace(id, 'x'), { key: owner.key }), 400, 'INVALID_PARAMETER');
      codeIs(await call(url, 'GET', one), 401, 'UNAUTHORIZED');
    });
  });

it('the service logged no errors', () => assert.deepEqual(errors, []));
