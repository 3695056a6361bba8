import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet, errors } from 'jose';
import { readConfig } from '../config.ts';
import { createSigning, didOf, publicKeyOf, type SigningOptions } from './signing.ts';

const secretsKey = randomBytes(32).toString('hex');
const publicUrl = 'https://market.example';
const signing = (given: Partial<SigningOptions> = {}) =>
  createSigning({ secretsKey, earlierKeys: [], publicUrl, ...given });
const EARLIER = Buffer.alloc(32, 7).toString('base64url');
const CLAIMS = { iss: publicUrl, files: [{ file_name: 'löwe 🦁.png' }] };
const keysOf = (service: ReturnType<typeof signing>) => createLocalJWKSet({ keys: service.keys });

describe('the signature of the service', () => {
  it('is a compact JWS that a plain JOSE library verifies with the published keys', async () => {
    const service = signing();
    const jws = await service.signClaims('concours-delivery+jwt', CLAIMS);
    const { payload, protectedHeader } = await compactVerify(jws, keysOf(service));
    assert.deepEqual(JSON.parse(new TextDecoder().decode(payload)), CLAIMS);
    assert.deepEqual(protectedHeader, { alg: 'EdDSA', kid: service.kid, typ: 'concours-delivery+jwt' });
  });

  it('names its key by the DID of the address and the thumbprint of the key', async () => {
    const { kid, keys } = signing({ earlierKeys: [EARLIER] });
    for (const key of keys) assert.equal(key.kid, `did:web:market.example#key-${await calculateJwkThumbprint(key)}`);
    assert.equal(kid, keys[0]?.kid);
  });

  it('publishes public parts only', () => {
    for (const key of signing({ earlierKeys: [EARLIER] }).keys)
      assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  });

  it('encodes the colon before a port, as did:web demands', () => {
    assert.equal(didOf('https://market.example'), 'did:web:market.example');
    assert.equal(didOf('https://Market.Example:443/'), 'did:web:market.example');
    assert.equal(didOf('http://127.0.0.1:4020'), 'did:web:127.0.0.1%3A4020');
    assert.equal(didOf('http://[::1]:4020'), 'did:web:%5B%3A%3A1%5D%3A4020');
    assert.equal(didOf('https://bücher.example'), 'did:web:xn--bcher-kva.example');
  });
});

describe('an earlier key', () => {
  it('still verifies what it signed, when its public part is listed', async () => {
    const before = signing();
    const old = await before.signClaims('a', CLAIMS);
    const other = signing({ secretsKey: randomBytes(32).toString('hex'), earlierKeys: [before.keys[0]?.x ?? ''] });
    await assert.doesNotReject(compactVerify(old, keysOf(other)));
    assert.notEqual(other.kid, before.kid);
  });
});

it('the key of the next SECRETS_KEY verifies before the process signs with it', async () => {
  const nextKey = randomBytes(32).toString('hex');
  const jws = await signing({ secretsKey: nextKey }).signClaims('a', CLAIMS);
  await assert.doesNotReject(compactVerify(jws, keysOf(signing({ earlierKeys: [publicKeyOf(nextKey)] }))));
});

describe('a forged signature', () => {
  it('of changed claims, a changed header, or another key is refused', async () => {
    const service = signing();
    const jws = await service.signClaims('a', CLAIMS);
    const [header = '', payload = '', signature = ''] = jws.split('.');
    const changed = Buffer.from(JSON.stringify({ ...CLAIMS, iss: 'https://other.example' })).toString('base64url');
    const untyped = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: service.kid })).toString('base64url');
    const foreign = signing({ secretsKey: randomBytes(32).toString('hex') });
    const asOurs = foreign.sign(Buffer.from(`${header}.${payload}`));
    for (const forged of [
      [header, changed, signature],
      [untyped, payload, signature],
      [header, payload, asOurs],
    ])
      await assert.rejects(compactVerify(forged.join('.'), keysOf(service)), errors.JWSSignatureVerificationFailed);
  });
});

it('SIGNING_KEYS_ACCEPTED takes public keys, and refuses anything else by name', () => {
  const keysFrom = (value: string) => readConfig({ SIGNING_KEYS_ACCEPTED: value }).signingKeysAccepted;
  assert.deepEqual(keysFrom(''), []);
  assert.deepEqual(keysFrom(`${EARLIER}, ${EARLIER}`), [EARLIER, EARLIER]);
  for (const value of ['1', `${EARLIER}=`, `${EARLIER},1`])
    assert.throws(() => keysFrom(value), /SIGNING_KEYS_ACCEPTED: /, value);
});
