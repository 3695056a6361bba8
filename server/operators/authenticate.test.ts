import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createOperatorAuthenticator } from './authenticate-session.ts';

it('takes OPERATOR_KEY, which may do everything, and nothing else', () => {
  const key = 'an-operator-key-of-enough-characters';
  const authenticate = createOperatorAuthenticator(key);
  assert.equal(authenticate(key)?.scope, 'act');
  for (const text of ['', key.slice(1), `${key} `]) assert.equal(authenticate(text), null, text);
});
