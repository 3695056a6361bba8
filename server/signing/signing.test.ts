import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet, errors, importJWK } from 'jose';
import { readConfig } from '../config.ts';
import { createSigning, didOf, type SigningOptions } from './signing.ts';

const secretsKey = randomBytes(32).toString('hex');
const publicUrl = 'https://market.example';
const signing = (given: Partial<SigningOptions> = {}) => createSigning({ secretsKey, keys: [1], publicUrl, ...given });
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

  it('is the same in every process, and for the same claims', async () => {
    assert.equal(await signing().signClaims('a', CLAIMS), await signing().signClaims('a', CLAIMS));
    assert.equal(signing().sign(Buffer.from('x')), signing().sign(Buffer.from('x')));
    assert.notEqual(signing().kid, signing({ secretsKey: randomBytes(32).toString('hex') }).kid);
  });

  it('names its key by the DID of the address and the thumbprint of the key', async () => {
    const { kid, keys } = signing({ keys: [2, 1] });
    for (const key of keys) assert.equal(key.kid, `did:web:market.example#key-${await calculateJwkThumbprint(key)}`);
    assert.equal(kid, keys[0]?.kid);
  });

  it('publishes public parts only', () => {
    for (const key of signing({ keys: [2, 1] }).keys)
      assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  });

  it('lists the same keys in the DID document', () => {
    const { keys, didDocument } = signing({ keys: [2, 1] });
    assert.equal(didDocument['id'], 'did:web:market.example');
    assert.deepEqual(
      didDocument['assertionMethod'],
      keys.map(({ kid }) => kid),
    );
    assert.deepEqual(
      didDocument['verificationMethod'],
      keys.map((key) => ({
        id: key.kid,
        type: 'JsonWebKey2020',
        controller: 'did:web:market.example',
        publicKeyJwk: key,
      })),
    );
  });

  it('encodes the colon before a port, as did:web demands', () => {
    assert.equal(didOf('https://market.example'), 'did:web:market.example');
    assert.equal(didOf('https://Market.Example:443/'), 'did:web:market.example');
    assert.equal(didOf('http://127.0.0.1:4020'), 'did:web:127.0.0.1%3A4020');
    assert.equal(didOf('http://[::1]:4020'), 'did:web:%5B%3A%3A1%5D%3A4020');
    assert.equal(didOf('https://bücher.example'), 'did:web:xn--bcher-kva.example');
  });
});

describe('a rotation', () => {
  const before = signing();

  it('verifies before and after: the new key is published before it signs, and the old one after', async () => {
    const [announced, rotated] = [signing({ keys: [1, 2] }), signing({ keys: [2, 1] })];
    const [old, fresh] = [await before.signClaims('a', CLAIMS), await rotated.signClaims('a', CLAIMS)];
    assert.notEqual(old, fresh);
    assert.equal(announced.kid, before.kid);
    for (const keys of [announced, rotated])
      for (const jws of [old, fresh]) await assert.doesNotReject(compactVerify(jws, keysOf(keys)));
    await assert.rejects(compactVerify(fresh, keysOf(before)), errors.JWKSNoMatchingKey);
  });

  it('withdraws a leaked key: its signatures verify no more', async () => {
    const old = await before.signClaims('a', CLAIMS);
    await assert.rejects(compactVerify(old, keysOf(signing({ keys: [2] }))), errors.JWKSNoMatchingKey);
  });

  it('of SECRETS_KEY keeps the public part of the old key', async () => {
    const old = await before.signClaims('a', CLAIMS);
    const other = signing({ secretsKey: randomBytes(32).toString('hex'), keys: [1, before.keys[0]?.x ?? ''] });
    await assert.doesNotReject(compactVerify(old, keysOf(other)));
    assert.notEqual(other.kid, before.kid);
  });
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

  it('without a signature is refused', async () => {
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const unsigned = `${none}.${Buffer.from(JSON.stringify(CLAIMS)).toString('base64url')}.`;
    const key = await importJWK(signing().keys[0] ?? {});
    await assert.rejects(compactVerify(unsigned, key, { algorithms: ['EdDSA'] }));
  });
});

describe('SIGNING_KEYS', () => {
  const x = Buffer.alloc(32, 7).toString('base64url');
  const keysFrom = (value: string) => readConfig({ SIGNING_KEYS: value }).signingKeys;

  it('takes numbers and public keys, the signing number first', () => {
    assert.deepEqual(readConfig({}).signingKeys, [1]);
    assert.deepEqual(keysFrom('3, 2,1'), [3, 2, 1]);
    assert.deepEqual(keysFrom(`1,${x}`), [1, x]);
  });

  it('refuses anything else by name', () => {
    for (const value of [`${x},1`, '0', '1,1', '1,,2', '-1', '1.5', '1,abc', `1,${x}=`, '12345'])
      assert.throws(() => keysFrom(value), /SIGNING_KEYS: /, value);
  });
});
