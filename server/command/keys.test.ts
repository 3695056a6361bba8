import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';
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
