import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../server/devnet/child-process.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { galleryPage } from '../support/clients/gallery.ts';
import { expectStatus, testPicture } from '../support/clients/journey.ts';
import { firstLine, type RunningProcess, startScript, untilReady } from '../support/processes/processes.ts';
import { s3ForTests } from '../support/servers/s3.ts';
import { deployedWorld, playProject, productionProcess } from '../support/worlds/deployed-world.ts';

// The real program with the settings of production, as an operator starts it.

const s3 = s3ForTests();
const skip = 'skip' in s3 && !process.env['CI'] ? s3.skip : false;

describe('a production start on PostgreSQL, S3, and a remote facilitator', { skip }, async () => {
  const world = await deployedWorld();
  let facilitator: RunningProcess;
  let facilitatorUrl: string;

  before(async () => {
    const key = await readFile(join(world.secrets, 'FACILITATOR_KEY'), 'utf8');
    const args = [world.chain.rpcUrl, key.trim()];
    facilitator = startScript('test/support/servers/facilitator-server.ts', args, { messages: true });
    facilitatorUrl = `http://127.0.0.1:${await firstLine(facilitator)}`;
  });
  after(() => facilitator.kill('SIGKILL'));

  /** Starts a process with all roles. `change` replaces settings. */
  async function start(change: Record<string, string> = {}) {
    const { FACILITATOR_KEY_FILE: _, ...env } = productionProcess('worker', {}).env;
    const named = { args: ['start'], env: { ...env, FACILITATOR_URL: facilitatorUrl, PORT: String(await freePort()) } };
    return world.start(named, change);
  }

  it('refuses to start and names each missing setting', async () => {
    const required = [
      'PUBLIC_URL',
      'DATABASE_URL',
      'S3_ENDPOINT',
      'S3_BUCKET',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
      'NETWORK',
      'RPC_URL',
      'FACILITATOR_URL',
      'TREASURY_KEY',
      'SECRETS_KEY',
      'OPERATOR_KEY',
    ];
    const running = startScript('server/main.ts', [], { env: { NODE_ENV: 'production' } });
    assert.equal(await running.ended, 1);
    for (const name of required) assert.match(running.output(), new RegExp(`- ${name}: required`));
  });

  it('refuses dependencies that it cannot use, and names the setting of each', async () => {
    const nowhere = join(world.secrets, 'NOWHERE');
    await writeFile(nowhere, 'postgres://nobody@127.0.0.1:1/none');
    const doubtful: [string, Record<string, string>][] = [
      ['DATABASE_URL', { DATABASE_URL_FILE: nowhere }],
      ['S3_ENDPOINT', { S3_BUCKET: 'no-such-bucket-here' }],
      ['FACILITATOR_URL', { FACILITATOR_URL: 'http://127.0.0.1:1' }],
      ['NETWORK', { NETWORK: 'eip155:8453' }],
      ['HOST', { HOST: '192.0.2.1' }],
    ];
    await Promise.all(
      doubtful.map(async ([name, change]) => {
        const running = await start(change);
        assert.equal(await running.ended, 1, name);
        assert.match(running.output(), new RegExp(`\\b${name}\\b`), name);
      }),
    );
  });

  it('runs a whole project through two processes, with S3 uploads and without the faucet', async () => {
    const [first, second] = [await start(), await start()];
    for (const running of [first, second]) await untilReady(running, running.url);
    const [a, b] = [first.url, second.url];
    const faucet = await call(a, 'POST', '/dev/faucet', { body: { address: newPayer().address, amount_usdc: 1 } });
    assert.equal(faucet.status, 404);
    const network = await call(b, 'GET', '/network');
    assert.equal(network.body.data.development, false);
    assert.equal('rpc_url' in network.body.data, false);

    const picture = await testPicture(3);
    const { project, entrant } = await playProject(world, a, picture, b);

    // Each process serves pictures from S3, also by links that the other process created.
    const { submissions } = await galleryPage(b, project.poster.key, project.id);
    for (const target of [submissions[0]!.image_url, submissions[0]!.thumbnail_url]) {
      assert.ok(target.startsWith('https://market.example/media/'), target);
      const response = await fetch(target.replace('https://market.example', a));
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp']);
      assert.ok((await response.arrayBuffer()).byteLength > 100);
    }

    // So are originals, which the store has byte for byte.
    const own = await call(a, 'GET', `/agents/me/submissions/${entrant.submissionId}/files`, { key: entrant.key });
    const [file] = expectStatus(own, 200).body.data.files;
    const original = await fetch(file.url.replace('https://market.example', b));
    assert.ok(Buffer.from(await original.arrayBuffer()).equals(picture));

    const secrets = [project.poster.key, entrant.key];
    for (const name of ['TREASURY_KEY', 'SECRETS_KEY', 'OPERATOR_KEY', 'S3_SECRET_ACCESS_KEY'])
      secrets.push(await readFile(join(world.secrets, name), 'utf8'));
    // The poster asked the first process, and the agent the second one.
    for (const [{ output }, operation] of [
      [first, 'publishProject'],
      [second, 'requestUpload'],
    ] as const) {
      assert.match(output(), new RegExp(`"operation":"${operation}"`), 'a line for each request');
      assert.deepEqual(
        secrets.filter((secret) => output().includes(secret.trim())),
        [],
        'and no secret in any',
      );
    }
    assert.equal(await first.kill('SIGTERM'), 0, first.output());
    assert.equal(await second.kill('SIGTERM'), 0, second.output());
  });
});
