import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { OK, REFUSED, senderWorld } from '../support/webhooks/sender-world.ts';
import { moveEndpoint } from '../../server/webhooks/change-endpoint.ts';

const { db } = await testDatabase();
const world = senderWorld(db);
const MINUTE_MS = 60_000;

afterEach(() => assert.deepEqual(world.errors, []));

describe('endpoints without an answer yet', async () => {
  // Endpoints that have never accepted an event. The test sets the clock and answers each delivery.

  const { sent, answer } = world;

  const HOUR_MS = 60 * MINUTE_MS;

  beforeEach(async () => await world.clear());

  /** Lets the sender work at each of these minutes from now on, after `each`. */
  async function pass(
    sender: ReturnType<typeof world.sender>,
    minutes: number[],
    each = async (_minute: number) => {},
  ): Promise<void> {
    let last = 0;
    for (const minute of minutes) {
      world.advance((minute - last) * MINUTE_MS);
      last = minute;
      await each(minute);
      await world.settle(sender);
    }
  }

  /** The most deliveries within one hour. */
  function mostPerHour(): number {
    return Math.max(...sent.map(({ at }) => sent.filter((other) => other.at >= at && other.at < at + HOUR_MS).length));
  }

  describe('an endpoint that never succeeded', () => {
    it('gets one event at a time, with its whole schedule', async () => {
      const { id } = await world.subscriber({ verified: false });
      answer.of = () => REFUSED;
      const first = await world.announce();
      const sender = world.sender();
      await world.settle(sender);
      const start = world.at().getTime();
      await pass(
        sender,
        [1, 2, 6, 20, 36, 90, 156, 157, 400, 636, 637, 660],
        async () => void (await world.announce()),
      );
      const ofFirst = sent.filter((delivery) => delivery.id === first);
      assert.deepEqual(
        ofFirst.map(({ at }) => (at - start) / MINUTE_MS),
        [0, 0, 1, 6, 36, 156, 636],
      );
      assert.equal(sent.length, 7, 'no other event was sent meanwhile');
      assert.equal(mostPerHour(), 5);
      assert.equal((await world.webhook(id)).verifiedAt, null);
      // The next event starts an hour after the last attempt: the oldest one that waits.
      world.advance(36 * MINUTE_MS + 20_000);
      await world.settle(sender);
      assert.equal(sent.length, 9);
      assert.notEqual(sent.at(-1)?.id, first);
    });

    it('gets all that waits after its first success, oldest first, and then every event at once', async () => {
      const { id } = await world.subscriber({ verified: false });
      answer.of = () => REFUSED;
      const events = [await world.announce()];
      const sender = world.sender();
      await world.settle(sender);
      for (let count = 0; count < 5; count += 1) {
        world.advance(1_000);
        events.push(await world.announce());
        await world.settle(sender);
      }
      assert.equal(sent.length, 2);
      answer.of = () => OK;
      world.advance(MINUTE_MS);
      await world.settle(sender);
      assert.deepEqual(
        sent.slice(2).map((delivery) => delivery.id),
        events,
      );
      assert.deepEqual((await world.webhook(id)).verifiedAt, world.at());
      answer.of = () => REFUSED;
      const [one, two] = [await world.announce(), await world.announce()];
      await world.settle(sender);
      assert.deepEqual(
        new Set(sent.slice(8).map((delivery) => delivery.id)),
        new Set([one, two]),
        'events no longer wait for each other',
      );
    });

    it('gets what waits after its URL changed while an event was on its way', async () => {
      const { id } = await world.subscriber();
      await world.announce();
      answer.of = async () => {
        answer.of = () => OK;
        await world.announce();
        const [row] = await db`
          select id, account_kind as kind, account_id as "accountId", specified, url, types, secret, created_at as "createdAt"
          from webhook_endpoints where id = ${id}`;
        const found = { ...row, previousSecret: null, previousUntil: null } as never;
        const parts = { config: { development: false }, clock: { now: world.at } };
        await db.begin((tx) => moveEndpoint(parts as never, tx, found, { url: 'https://new.example/', field: 'url' }));
        return OK;
      };
      await world.settle(world.sender());
      assert.deepEqual(
        sent.map(({ url }) => new URL(url).host),
        ['h0.example', 'new.example'],
      );
    });

    it('does not count a secret that the service cannot open as a failure', async () => {
      const { id } = await world.subscriber({ verified: false });
      await world.announce();
      const [row] = await db<[{ secret: Buffer }]>`select secret from webhook_endpoints where id = ${id}`;
      await db`update webhook_endpoints set secret = ${Buffer.alloc(61)} where id = ${id}`;
      const sender = world.sender();
      for (let hour = 0; hour < 150; hour += 1) {
        await world.settle(sender);
        world.advance(HOUR_MS);
      }
      const told = world.errors.splice(0) as { err: { message: string } }[];
      assert.equal(told.length, 150, 'once for each look');
      for (const { err } of told) assert.match(err.message, /add its key to SECRETS_KEYS_ACCEPTED/);
      const [retry] = await world.retries();
      assert.deepEqual([retry?.retries, retry?.deadAt, await world.attempts()], [-2, null, []]);
      const { status, failingSince } = await world.webhook(id);
      assert.deepEqual([status, failingSince], ['active', null]);
      await db`update webhook_endpoints set secret = ${row.secret} where id = ${id}`;
      await world.settle(sender);
      assert.equal(sent.length, 1);
    });
  });

  describe('an event whose project has ended', () => {
    it('is not sent again to an endpoint that failed, and not to those that it had not reached', async () => {
      await world.subscribe(3);
      const elite = await world.subscriber({ tier: 'elite' });
      answer.of = () => REFUSED;
      const projectId = await world.project();
      await world.announce({ projectId, earlyAccessMs: 2 * MINUTE_MS });
      const sender = world.sender();
      await world.settle(sender);
      assert.deepEqual(
        sent.map(({ url }) => url),
        [elite.url, elite.url],
      );
      await world.endProject(projectId);
      world.advance(10 * MINUTE_MS);
      await world.settle(sender);
      assert.equal(sent.length, 2);
      assert.deepEqual(
        (await world.retries()).map(({ deadAt }) => deadAt),
        [world.at()],
      );
    });
  });
});
