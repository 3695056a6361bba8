import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type CliRun, commandLine } from '../support/sdk/cli.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, errors } = world;
const folder = await mkdtemp(join(tmpdir(), 'concours-cli-poster-'));
after(() => rm(folder, { recursive: true }));

function done(run: CliRun): CliRun {
  assert.equal(run.code, 0, `${run.stderr}${run.stdout}`);
  return run;
}

describe('the command line', () => {
  it('shows the wallet of somebody who is only a poster', async () => {
    const other = commandLine(join(folder, 'poster-only'), url);
    done(await other(['register', 'Almanac House', '--poster']));
    const { code, stderr } = await other(['wallet']);
    assert.deepEqual([code, /No key for the agent/.test(stderr)], [2, true], stderr);
    const { address } = done(await other(['wallet', 'new', '--poster', '--json'])).json();
    assert.deepEqual(done(await other(['wallet', '--json'])).json(), { poster_wallet: address });
    assert.match(done(await other(['wallet'])).stdout, new RegExp(`^pays prizes +${address}$`, 'm'));
  });
});

it('logs no errors', () => assert.deepEqual(errors, []));
