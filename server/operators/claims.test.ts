import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nameOf, scopeOfClaims } from './claims.ts';

it('a right is one value of the claim, or one of a list', () => {
  const rights = { claim: 'groups', act: ['ops'], read: ['support', 'finance'] };
  const scopeOf = (groups: unknown) => scopeOfClaims({ sub: 's', groups }, rights);
  assert.deepEqual(
    ['ops', ['finance', 'ops'], ['finance'], 'support', ['other'], [], undefined, { ops: true }].map(scopeOf),
    ['act', 'act', 'read', 'read', null, null, null, null],
  );
});

it('a name is the verified address, or the next best with the subject, in one line', () => {
  const names = [
    { email: 'ada@example.com', name: 'Ada' },
    { email: 'ada@example.com', email_verified: false, preferred_username: 'bob@example.com' },
    { name: 'Ada: the\nfirst' },
    {},
  ].map((claims) => nameOf({ sub: 'sub-1', ...claims }));
  assert.deepEqual(names, ['ada@example.com', 'bob@example.com (sub-1)', 'Ada  the first (sub-1)', 'sub-1']);
});
