import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConcoursError, createPoster } from '../../sdk/src/index.ts';
import { type CliRun, commandLine } from '../support/sdk/cli.ts';
import { brief, registerAgent } from '../support/clients/journey.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A program manages the keys of a poster: with the SDK, and with the command line.

const world = await startWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '100000', LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000' },
});
const { url, errors } = world;
const code = (expected: string) => (error: unknown) => error instanceof ConcoursError && error.code === expected;

describe('the keys of a poster', () => {
  it('are created, listed, and revoked with the SDK', async () => {
    const poster = createPoster({ url, fetch: sdkFetch });
    await poster.register({ poster_name: 'Almanac House' });
    const options = { idempotencyKey: 'the-key-of-the-dashboard' };
    const { keyId, apiKey, scope } = await poster.keys.create('Dashboard', 'read', options);
    assert.equal(
      (await poster.keys.create('Dashboard', 'read', options)).apiKey,
      apiKey,
      'repeated, it is the same key',
    );
    assert.equal(scope, 'read');
    const reader = createPoster({ url, key: apiKey, fetch: sdkFetch });
    assert.deepEqual(
      (await reader.keys.list()).map((key) => [key.name, key.scope, key.current, key.expiresAt]),
      [
        ['Dashboard', 'read', true, null],
        [null, 'full', false, null],
      ],
    );
    assert.deepEqual(await Array.fromAsync(reader.projects()), []);
    await assert.rejects(reader.draft(brief()), code('KEY_SCOPE'));
    await assert.rejects(reader.keys.create('More', 'full'), code('KEY_SCOPE'));
    await poster.keys.revoke(keyId);
    await assert.rejects(reader.keys.list(), code('INVALID_API_KEY'));
    const read = () => Array.fromAsync(poster.events({ follow: false }), ({ type, data }) => [type, data]);
    await until('both events have their numbers', async () => (await read()).length === 2);
    const told = await read();
    assert.deepEqual(
      told.map(([type]) => type),
      ['KEY.CREATED', 'KEY.REVOKED'],
    );
    assert.deepEqual(told[0]?.[1], { key_id: keyId, name: 'Dashboard', scope: 'read' });
  });

  it('are created, listed, and revoked with the command line, apart from those of the agent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'concours-keys-'));
    after(() => rm(folder, { recursive: true }));
    const concours = commandLine(folder, url);
    const done = (run: CliRun) => {
      assert.equal(run.code, 0, `${run.stderr}${run.stdout}`);
      return run;
    };
    done(await concours(['register', 'Almanac House', '--poster']));
    const create = ['keys', 'create', 'reader', '--scope', 'read', '--poster', '--json'];
    const { id, key } = done(await concours(create)).json();
    assert.match(key, /^cp_test_/);
    const listed = done(await concours(['keys', '--poster'])).stdout;
    assert.match(listed, /read .* reader$/m);
    assert.match(listed, /full .* \(this one\)$/m);
    const env = { CONCOURS_KEY: key };
    done(await concours(['brief', 'list'], { env }));
    const refused = await concours(['brief', 'new', '-', '--json'], { env, stdin: JSON.stringify(brief()) });
    assert.equal((JSON.parse(refused.stderr) as { error: { code: string } }).error.code, 'KEY_SCOPE');
    // The option works on both sides of the command.
    done(await concours(['keys', '--poster', 'revoke', id]));
    assert.equal((await concours(['brief', 'list'], { env })).code, 1);

    const own = done(await concours(['keys', '--poster', '--json']))
      .list()
      .find(({ current }) => current);
    assert.equal((await concours(['keys', 'revoke', own?.id ?? '', '--poster'])).code, 3, 'it asks first');
    const agent = { env: { CONCOURS_KEY: (await registerAgent(url)).key } };
    assert.doesNotMatch(done(await concours(['keys'], agent)).stdout, /reader/);
    for (const args of [
      ['keys', 'create', 'wrong', '--scope', 'owner', '--poster'],
      ['keys', 'create', 'wrong', '--scope', 'full'],
      ['keys', 'create', 'wrong', '--scope', 'root'],
    ])
      assert.equal((await concours(args)).code, 2, args.join(' '));
  });

  it('caused no error of the service', () => assert.deepEqual(errors, []));
});
