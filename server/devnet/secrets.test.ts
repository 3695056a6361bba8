import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { settings } from '../settings/settings.ts';
import { loadSecrets, SecretsUnreadable } from './secrets.ts';

async function temporary(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-secrets-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('generates each secret once, readable by this user only', async (t) => {
  const folder = await temporary(t);
  const first = await loadSecrets(folder, randomBytes);
  assert.equal((await stat(join(folder, 'secrets.json'))).mode & 0o777, 0o600);
  assert.deepEqual(await loadSecrets(folder, randomBytes), first);
  assert.equal(new Set(Object.values(first)).size, Object.keys(first).length);
});

test('generates values that the settings of the same names accept', async (t) => {
  const secrets = await loadSecrets(await temporary(t), randomBytes);
  settings.TREASURY_KEY.schema.parse(secrets.treasuryKey);
  settings.FACILITATOR_KEY.schema.parse(secrets.facilitatorKey);
  settings.SECRETS_KEY.schema.parse(secrets.secretsKey);
  settings.OPERATOR_KEY.schema.parse(secrets.operatorKey);
  assert.match(secrets.operatorKey, /^ck_operator_/);
});

test('a key that an older file lacks is added, and the others stay', async (t) => {
  const folder = await temporary(t);
  const { secretsKey, ...older } = await loadSecrets(folder, randomBytes);
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(older));
  const newer = await loadSecrets(folder, randomBytes);
  assert.notEqual(newer.secretsKey, secretsKey);
  assert.deepEqual({ ...newer, secretsKey }, { ...older, secretsKey });
  assert.deepEqual(await loadSecrets(folder, randomBytes), newer);
});

test('a damaged file is never replaced: its keys own money', async (t) => {
  const folder = await temporary(t);
  const file = join(folder, 'secrets.json');
  for (const damaged of ['', '{"treasuryKey":', '{"treasuryKey":"0x12"}', '[]x']) {
    await writeFile(file, damaged);
    await assert.rejects(loadSecrets(folder, randomBytes), SecretsUnreadable);
    assert.equal(await readFile(file, 'utf8'), damaged);
  }
});
