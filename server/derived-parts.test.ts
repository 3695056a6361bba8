import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it, mock } from 'node:test';
import { derivedParts } from './derived-parts.ts';
import { JsonText } from './serve.ts';
import { AlreadyAnswered, findReplay, runIdempotent } from './idempotency/public.ts';
import { resealSecrets } from './webhooks/public.ts';
import type { IdempotentCall } from './idempotency/types.ts';
import { testDatabase } from '../test/support/test-database.ts';

const given = { publicUrl: 'https://market.example', clock: { now: () => new Date() }, randomBytes };
const [oldKey, newKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
/** The three steps of a change of SECRETS_KEY, as the processes of the service have them. */
const before = derivedParts(oldKey, [newKey], given);
const after = derivedParts(newKey, [oldKey], given);
const alone = derivedParts(newKey, [], given);
const id = randomUUIDv7();

const account = { kind: 'agent', id: randomUUIDv7() } as const;
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
      const copy = signedOf(writer.mediaUrls.of(id, 'plain').imageUrl);
      assert.ok(reader.mediaUrls.verify({ mediaFileId: copy.first, ...copy, variant: copy.second }));
    }
    assert.throws(() => alone.webhookSecrets.open(id, before.webhookSecrets.seal(id, randomBytes(32))));
    assert.throws(() => alone.paymentSeals.of('payment', id).open(before.paymentSeals.of('payment', id).seal('0x')));
    assert.equal(alone.mailTokens.readUnsubscribe(before.mailTokens.unsubscribe(account, 'a@example.com')), null);
  });

  it('encrypts the secret of a webhook again, also beside a previous one that signs no more and cannot be opened', async () => {
    const { db } = await testDatabase();
    const [secret, now] = [randomBytes(32), given.clock.now()];
    await db`
      insert into webhook_endpoints (id, account_kind, account_id, specified, url, host, types, created_at, updated_at,
        secret, previous_secret, previous_until)
      values (${id}, 'agent', ${account.id}, true, 'https://a.example/', 'a.example', '{PROJECT.OPEN}', ${now}, ${now},
        ${before.webhookSecrets.seal(id, secret)}, ${Buffer.alloc(61)}, ${now})`;
    const log = { info: mock.fn(), warn: () => {} };
    const deps = { db, ...given, ...after, log, config: { secretsKeysAccepted: [oldKey] } };
    await resealSecrets(deps as unknown as Parameters<typeof resealSecrets>[0]);
    assert.deepEqual(log.info.mock.calls[0]?.arguments[0], { resealed: 1, unreadable: 0 });
    const [row] = await db<[{ secret: Buffer }]>`select secret from webhook_endpoints`;
    assert.deepEqual(alone.webhookSecrets.open(id, row.secret), secret);
  });

  it('runs a request with an Idempotency-Key once, whichever key each process seals with', async () => {
    const { db } = await testDatabase();
    const callOf = ({ answerSeals }: typeof before, request: string): IdempotentCall => {
      const seal = answerSeals.of('createIntent', 'a key');
      return { seal, fingerprint: seal.fingerprint(request), shape: (data) => data, replayed: false };
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
    const refused = { code: 'IDEMPOTENCY_KEY_REUSED' };
    await assert.rejects(findReplay({ db, clock: given.clock }, callOf(after, 'another')), refused);
    const elsewhere = derivedParts(randomBytes(32).toString('hex'), [], given);
    await assert.rejects(send(elsewhere), { ...refused, message: /cannot be read any more/ });
    assert.equal(runs, 1);
  });
});
