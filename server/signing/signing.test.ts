import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet } from 'jose';
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

  it('publishes only public parts, named by the DID of the address and the thumbprint of the key', async () => {
    const { kid, keys } = signing({ earlierKeys: [EARLIER] });
    assert.equal(kid, keys[0]?.kid);
    for (const key of keys) {
      assert.equal(key.kid, `did:web:market.example#key-${await calculateJwkThumbprint(key)}`);
      assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    }
  });

  it('encodes the colon before a port, as did:web demands', () => {
    assert.equal(didOf('https://market.example'), 'did:web:market.example');
    assert.equal(didOf('https://Market.Example:443/'), 'did:web:market.example');
    assert.equal(didOf('http://127.0.0.1:4020'), 'did:web:127.0.0.1%3A4020');
    assert.equal(didOf('http://[::1]:4020'), 'did:web:%5B%3A%3A1%5D%3A4020');
    assert.equal(didOf('https://bücher.example'), 'did:web:xn--bcher-kva.example');
  });
});

it('a listed public key verifies what its secret has signed or will sign', async () => {
  const before = signing();
  const old = await before.signClaims('a', CLAIMS);
  const nextKey = randomBytes(32).toString('hex');
  const next = await signing({ secretsKey: nextKey }).signClaims('a', CLAIMS);
  const service = signing({
    secretsKey: randomBytes(32).toString('hex'),
    earlierKeys: [before.keys[0]?.x ?? '', publicKeyOf(nextKey)],
  });
  for (const jws of [old, next]) await assert.doesNotReject(compactVerify(jws, keysOf(service)));
  assert.notEqual(service.kid, before.kid);
});

it('SIGNING_KEYS_ACCEPTED takes public keys, and refuses anything else by name', () => {
  const keysFrom = (value: string) => readConfig({ SIGNING_KEYS_ACCEPTED: value }).signingKeysAccepted;
  assert.deepEqual(keysFrom(''), []);
  assert.deepEqual(keysFrom(`${EARLIER}, ${EARLIER}`), [EARLIER, EARLIER]);
  for (const value of ['1', `${EARLIER}=`, `${EARLIER},1`])
    assert.throws(() => keysFrom(value), /SIGNING_KEYS_ACCEPTED: /, value);
});
