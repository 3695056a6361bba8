import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import type { OperatorScope } from '../../contract/basics/scope.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { withTransaction } from '../db/public.ts';
import { createAnswerSeals } from '../idempotency/public.ts';
import { findOperatorPart, insertSession } from '../keys/public.ts';
import { createOperatorAuthenticator } from './authenticate-session.ts';
import { confirmRight } from './confirm-right.ts';
import { holderOf } from './holder.ts';
import { sealTokens } from './sealed-tokens.ts';
import { CONFIRM_MS } from './session-times.ts';
import type { FoundPerson } from './types.ts';

it('takes OPERATOR_KEY, which may do everything, and nothing else', () => {
  const key = 'an-operator-key-of-enough-characters';
  const authenticate = createOperatorAuthenticator(key);
  assert.equal(authenticate(key)?.scope, 'act');
  for (const text of ['', key.slice(1), `${key} `]) assert.equal(authenticate(text), null, text);
});

it('gives no other session of the person a right that the provider told late', async () => {
  const { db } = await testDatabase();
  const subject = 'ada';
  let now = new Date();
  const answers = new Map<string, PromiseWithResolvers<FoundPerson>>();
  const asked = Promise.withResolvers<void>();
  const deps = {
    db,
    clock: { now: () => now },
    newId: randomUUIDv7,
    knownKeys: { forget() {} },
    answerSeals: createAnswerSeals({ key: randomBytes(32), randomBytes }),
    identityProvider: {
      host: 'login.test',
      confirm: async ({ refresh }: { refresh: string }) => {
        asked.resolve();
        return await answers.get(refresh)!.promise;
      },
    },
  } as unknown as Parameters<typeof confirmRight>[0];
  const told = (id: string, scope: OperatorScope) =>
    answers.get(id)!.resolve({ subject, name: subject, scope, tokens: { refresh: null, id: null } });
  const partOf = async (id: string) => (await findOperatorPart(db, id))!;
  const confirm = async (id: string) => await confirmRight(deps, await partOf(id), { id, subject });
  for (const id of ['slow', 'fast']) {
    answers.set(id, Promise.withResolvers());
    const tokens = sealTokens(deps, id, { refresh: id, id: null });
    const operator = { name: subject, scope: 'act' as const, settingsHash: '00', tokens };
    const of = { ...holderOf(subject), id, keyId: null, wallet: null, secretHash: '00', createdAt: now, operator };
    await withTransaction(db, (tx) => insertSession(tx, { ...of, expiresAt: new Date(now.getTime() + 3_600_000) }, 10));
  }
  now = new Date(now.getTime() + CONFIRM_MS);
  const slow = confirm('slow');
  await asked.promise;
  told('fast', 'read');
  assert.equal((await confirm('fast')).scope, 'read');
  assert.equal((await partOf('slow')).scope, 'read', 'a lesser right holds in every session');
  told('slow', 'act');
  await slow;
  assert.equal((await partOf('fast')).scope, 'read');
});
