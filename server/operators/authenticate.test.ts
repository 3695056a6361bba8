import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { networks } from '../chain/public.ts';
import { readConfig } from '../config.ts';
import { createOperator } from './add-operator.ts';
import { createOperatorAuthenticator } from './authenticate.ts';
import { endOperator } from './revoke-operator.ts';

const { db } = await testDatabase();
let now = Date.parse('2026-11-01T12:00:00Z');
const clock = { now: () => new Date(now) };
const network = networks['eip155:84532'];
const deps = { db, reads: db, clock, network, randomBytes, newId: () => randomUUIDv7() };
const rootKey = randomBytes(32).toString('base64url');
const config = { ...readConfig({}), development: false };
const { authenticate } = createOperatorAuthenticator({ ...deps, config }, rootKey);
const inDevelopment = createOperatorAuthenticator({ ...deps, config: readConfig({}) }, rootKey);
const scopesOf = async (key: string) => (await authenticate(key))?.scopes ?? null;
const add = (name: string, scopes: ('read' | 'admin')[], expires_days = 10) =>
  createOperator(deps, { name, scopes, expires_days, reason: 'A test', actor: 'command:root' });
const ALL = ['read', 'support', 'money', 'admin'];

it('OPERATOR_KEY holds every scope exactly while no named admin exists; in a development start, always', async () => {
  assert.deepEqual(await scopesOf(rootKey), ALL);
  const reader = await add('reader', ['read']);
  assert.deepEqual([await scopesOf(rootKey), await scopesOf(reader.key)], [ALL, ['read']]);
  await add('first', ['admin'], 1);
  assert.deepEqual(await scopesOf(rootKey), []);
  assert.deepEqual((await inDevelopment.authenticate(rootKey))?.scopes, ALL);
  now += 86_400_000;
  assert.deepEqual(await scopesOf(rootKey), ALL, 'the only admin has expired');
  const second = await add('first', ['admin']);
  assert.deepEqual([await scopesOf(rootKey), await scopesOf(second.key)], [[], ['admin']]);
  await endOperator(deps, { name: 'first', reason: 'A test', actor: 'command:root' });
  assert.deepEqual(await scopesOf(rootKey), ALL);
  now += 1_000;
  assert.equal(await scopesOf(second.key), null);
});

it('refuses other text, and keys of other kinds or networks', async () => {
  const { key } = await add('eve', ['read']);
  for (const text of ['', rootKey.slice(1), `${rootKey} `, key.slice(0, -1), key.replace('co_test', 'ck_test')])
    assert.equal(await scopesOf(text), null, text.slice(0, 12));
  const live = createOperatorAuthenticator({ ...deps, config, network: { ...network, testnet: false } }, rootKey);
  assert.equal(await live.authenticate(key), null);
});
