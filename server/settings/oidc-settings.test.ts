import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ConfigError, readConfig } from '../config.ts';

it('takes an identity provider only with a client and a right that somebody can have', () => {
  const provider = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'concours' };
  assert.equal(readConfig({}).oidc, null);
  assert.deepEqual(readConfig({ ...provider, OIDC_READ: 'support, finance' }).oidc?.read, ['support', 'finance']);
  for (const env of [provider, { OIDC_ISSUER: provider.OIDC_ISSUER, OIDC_ACT: 'ops' }, { OIDC_CLIENT_ID: 'concours' }])
    assert.throws(
      () => readConfig(env),
      (error) => error instanceof ConfigError && /^OIDC_\w+: missing/.test(error.problems.join()),
    );
});
