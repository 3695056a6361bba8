import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import pino from 'pino';
import { derivedParts } from './derived-parts.ts';
import { replaceSecrets } from './webhooks/endpoints/reseal-queries.ts';
import { resealSecrets } from './webhooks/endpoints/public.ts';
import { JsonText } from './serve.ts';
import { AlreadyAnswered, findReplay, runIdempotent } from './idempotency/public.ts';
import type { IdempotentCall } from './ports/idempotency.ts';
import { orderedId } from '../test/support/ordered-ids.ts';
import { testDatabase } from '../test/support/test-database.ts';

const given = { publicUrl: 'https://market.example', clock: { now: () => new Date() }, randomBytes };
const [oldKey, newKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
/** The three steps of a change of SECRETS_KEY, as the processes of the service have them. */
const before = derivedParts(oldKey, [newKey], given);
const after = derivedParts(newKey, [oldKey], given);
const alone = derivedParts(newKey, [], given);
const id = randomUUIDv7();

const account = { kind: 'agent', id: randomUUIDv7() } as const;
const thumbnails = { image: 'plain', thumbnail: 'plain' } as const;
const signedOf = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  const [, , first = '', second = ''] = pathname.split('/');
  return { first, second, expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' };
};

describe('a change of SECRETS_KEY', () => {
  it('keeps what processes with either key signed or sealed, and nothing of a key that is no more accepted', () => {
    for (const [writer, reader] of [
      [before, after],
      [after, before],
    ] as const) {
      const secret = randomBytes(32);
      assert.deepEqual(reader.webhookSecrets.open(id, writer.webhookSecrets.seal(id, secret)), secret);
      assert.equal(reader.paymentSeals.of('payment', id).open(writer.paymentSeals.of('payment', id).seal('0x')), '0x');
      assert.ok(reader.mailTokens.readUnsubscribe(writer.mailTokens.unsubscribe(account, 'a@example.com')));
      const original = signedOf(writer.originalUrls.of(id, 0, new Date(Date.now() + 60_000)));
      assert.equal(reader.originalUrls.verify({ grantId: original.first, part: original.second, ...original }), 0);
      const copy = signedOf(writer.mediaUrls.of(id, thumbnails).imageUrl);
      assert.ok(reader.mediaUrls.verify({ mediaFileId: copy.first, ...copy, variant: copy.second }));
    }
    assert.throws(() => alone.webhookSecrets.open(id, before.webhookSecrets.seal(id, randomBytes(32))));
    assert.throws(() => alone.paymentSeals.of('payment', id).open(before.paymentSeals.of('payment', id).seal('0x')));
    assert.equal(alone.mailTokens.readUnsubscribe(before.mailTokens.unsubscribe(account, 'a@example.com')), null);
  });

  it('runs a request with an Idempotency-Key once, whichever key each process seals with', async () => {
    const { db } = await testDatabase();
    const callOf = ({ answerSeals }: typeof before, request: string): IdempotentCall => {
      const seal = answerSeals.of('createIntent', 'a key');
      const others = (seal.others ?? []).map((other) => ({ seal: other, fingerprint: other.fingerprint(request) }));
      return { seal, fingerprint: seal.fingerprint(request), others, shape: (data) => data, replayed: false };
    };
    let runs = 0;
    const send = async (parts: typeof before) => {
      const idempotentCall = callOf(parts, 'the request');
      try {
        return await runIdempotent({ db, clock: given.clock, idempotentCall }, async () => ({ run: (runs += 1) }));
      } catch (error) {
        if (error instanceof AlreadyAnswered) return error.answer;
        throw error;
      }
    };
    const answers = await Promise.all([before, after, before, after].map(send));
    assert.equal(runs, 1);
    for (const answer of answers)
      assert.deepEqual(answer instanceof JsonText ? JSON.parse(answer.text) : answer, { run: 1 });
    await assert.rejects(findReplay({ db, clock: given.clock }, callOf(after, 'another')), {
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('encrypts the secrets of webhooks again, once, and leaves those that nobody can open', async () => {
    const { db } = await testDatabase();
    const secrets = [randomBytes(32), randomBytes(32), randomBytes(32)];
    for (const [index, secret] of secrets.entries()) {
      const webhook = orderedId();
      const sealer = index === 2 ? derivedParts('cd'.repeat(32), [], given) : before;
      await db`
        insert into webhooks (id, account_kind, account_id, types, url, secret, previous_secret, previous_until, created_at, updated_at)
        values (${webhook}, 'agent', ${randomUUIDv7()}, '{}', 'https://example.com', ${sealer.webhookSecrets.seal(webhook, secret)},
          ${index === 1 ? before.webhookSecrets.seal(webhook, secrets[0]!) : null}, ${index === 1 ? new Date() : null}, now(), now())`;
    }
    const read = async () => [
      ...(await db<{ id: string; secret: Buffer; previous: Buffer | null }[]>`
        select id, secret, previous_secret as previous from webhooks order by id`),
    ];
    const log = pino({ level: 'silent' });
    const config = { secretsKeysAccepted: [oldKey] };
    const deps = { db, log, config, webhookSecrets: after.webhookSecrets } as unknown as Parameters<
      typeof resealSecrets
    >[0];
    const old = await read();
    await Promise.all([resealSecrets(deps), resealSecrets(deps)]);
    const [first, second, third] = await read();
    assert.deepEqual(alone.webhookSecrets.open(first!.id, first!.secret), secrets[0]);
    assert.deepEqual(alone.webhookSecrets.open(second!.id, second!.secret), secrets[1]);
    assert.deepEqual(alone.webhookSecrets.open(second!.id, second!.previous!), secrets[0]);
    assert.deepEqual(third!.secret, old[2]!.secret);
    await resealSecrets(deps);
    assert.deepEqual(await read(), [first, second, third], 'nothing is left to do');
    const stale = { id: first!.id, secret: old[0]!.secret, previousSecret: null };
    assert.equal(await replaceSecrets(db, stale, { secret: randomBytes(61), previousSecret: null }), false);
  });
});
