import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { privateKeyToAddress } from 'viem/accounts';
import { readConfig, readSettings } from '../config.ts';
import { settings } from '../settings/settings.ts';
import { productionEnvironment } from './keys.ts';

const FILLED = {
  PUBLIC_URL: 'https://market.example',
  DATABASE_URL: 'postgres://concours@db/concours?sslmode=verify-full',
  S3_ENDPOINT: 'https://s3.example',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  RPC_URL: 'https://rpc.example',
};
const KEYS = ['TREASURY_KEY', 'FACILITATOR_KEY', 'SECRETS_KEY', 'OPERATOR_KEY', 'METRICS_TOKEN'] as const;

describe('the environment of `concours-server keys`', () => {
  const text = productionEnvironment(randomBytes);
  const env = parseEnv(text);

  it('starts in production once its empty lines are filled, and names no unknown setting', () => {
    assert.deepEqual(
      Object.keys(env).filter((name) => !(name in settings)),
      [],
    );
    assert.deepEqual(
      Object.keys(env)
        .filter((name) => env[name] === '')
        .toSorted(),
      [...Object.keys(FILLED), 'TRUSTED_PROXIES'].toSorted(),
    );
    const config = readConfig({ ...env, ...FILLED });
    assert.deepEqual([config.development, config.treasuryKey], [false, env['TREASURY_KEY']]);
  });

  it('has new keys each time, and shows the addresses of both wallets', () => {
    const other = parseEnv(productionEnvironment(randomBytes));
    for (const name of KEYS) assert.notEqual(env[name], other[name], name);
    for (const name of ['TREASURY_KEY', 'FACILITATOR_KEY'])
      assert.ok(text.includes(privateKeyToAddress(env[name] as `0x${string}`)), name);
  });

  it('works with each key in a file', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'concours-keys-'));
    t.after(() => rm(folder, { recursive: true }));
    const inFiles: Record<string, string | undefined> = { ...env, ...FILLED };
    for (const name of KEYS) {
      await writeFile(join(folder, name), `${env[name]}\n`);
      delete inFiles[name];
      inFiles[`${name}_FILE`] = join(folder, name);
    }
    assert.deepEqual(readConfig(inFiles), readConfig({ ...env, ...FILLED }));
  });
});

describe('the settings of a command', () => {
  it('are read without the others, and its mode refuses another NODE_ENV', () => {
    const given = { NODE_ENV: 'production', DATABASE_URL: FILLED.DATABASE_URL };
    assert.equal(readSettings(['DATABASE_URL'], given).DATABASE_URL, FILLED.DATABASE_URL);
    assert.throws(() => readSettings(['DATABASE_URL'], { DATABASE_URL: 'no' }), /- DATABASE_URL: /);
    assert.throws(
      () => readConfig(given, [], 'development'),
      /NODE_ENV: production, but this command is a development/,
    );
    assert.throws(() => readConfig({ NODE_ENV: 'development' }, [], 'production'), /NODE_ENV: development, but/);
    assert.equal(readConfig({}, [], 'development').development, true);
  });
});
