import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { posterOperations } from '../../contract/posters.ts';
import { agentsWorld } from '../../test/support/worlds/agents-world.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { issueKey, parseKey } from '../keys/format.ts';
import { createPosterAuthenticator } from './authenticate.ts';
import { createPoster } from './create-poster.ts';

const { db } = await testDatabase();
const world = agentsWorld(db);
const authenticatorOf = ({ deps }: typeof world) => createPosterAuthenticator(deps, { record: () => {} });
const register = (body: object) => createPoster(world.anyone, { body: posterOperations.createPoster.body.parse(body) });
const refused = (body: unknown) => {
  const parsed = posterOperations.createPoster.body.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
};

describe('createPoster', () => {
  it('registers a poster with a poster key that the authenticator accepts', async () => {
    const answer = await register({ poster_name: '  Bäckerei "Süß"; drop table posters; -- ', email: 'a@example.com' });
    assert.deepEqual(posterOperations.createPoster.output.parse(answer), answer);
    assert.equal(parseKey(answer.apiKey)?.prefix, 'cp_test');
    const [row] = await db`select * from posters where id = ${answer.posterId}`;
    const name = 'Bäckerei "Süß"; drop table posters; --';
    assert.deepEqual(
      { ...row },
      {
        id: answer.posterId,
        name,
        email: 'a@example.com',
        created_at: world.at(0),
        wallet_address: null,
        terms_version: null,
      },
    );
    const caller = { kind: 'poster', posterId: answer.posterId, keyId: parseKey(answer.apiKey)?.id, scope: 'full' };
    assert.deepEqual(await authenticatorOf(world).authenticate(answer.apiKey), caller);
  });

  it('rejects input that violates the contract, and names the field', () => {
    assert.deepEqual(refused({ poster_name: ' A ' }), ['poster_name']);
    assert.deepEqual(refused({ poster_name: 'A'.repeat(101) }), ['poster_name']);
    assert.deepEqual(refused({}), ['poster_name']);
    assert.deepEqual(refused({ poster_name: 'Bakery', email: 'not an address' }), ['email']);
    assert.deepEqual(refused({ poster_name: 'Bakery', email: `${'a'.repeat(320)}@example.com` }), ['email']);
    assert.deepEqual(refused({ poster_name: 'Bakery' }), []);
  });
});

describe('poster authentication', () => {
  it('rejects wrong secrets, unknown keys, agents’ keys, and expired keys', async () => {
    const { apiKey, posterId } = await register({ poster_name: 'Bakery' });
    const auth = authenticatorOf(world);
    const forged = issueKey('cp_test', (size) => (size === 16 ? Buffer.alloc(16, 1) : randomBytes(32)));
    await db`insert into poster_keys (id, poster_id, secret_hash, created_at) values (${forged.id}, ${posterId}, ${randomBytes(32)}, now())`;
    const texts = [
      apiKey.slice(0, -1),
      issueKey('cp_test', randomBytes).key,
      issueKey('ck_test', randomBytes).key,
      forged.key,
    ];
    for (const text of texts) assert.equal(await auth.authenticate(text), null, text);
    await db`update poster_keys set expires_at = ${world.at(0)} where poster_id = ${posterId}`;
    assert.equal(await auth.authenticate(apiKey), null);
  });
});
