import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { type RunningChain, startChain } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { galleryPage } from '../support/clients/gallery.ts';
import {
  brief,
  confirm,
  createIntent,
  expectStatus,
  ledger,
  putPicture,
  registerAgent,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { firstLine, type RunningProcess, startScript, untilReady } from '../support/processes/processes.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { s3ForTests } from '../support/servers/s3.ts';
import { openDatabase } from '../support/test-database.ts';

// The real program with the settings of production, as an operator starts it.

const s3 = s3ForTests();
const skip = 'skip' in s3 && !process.env['CI'] ? s3.skip : false;

describe('a production start on PostgreSQL, S3, and a remote facilitator', { skip }, () => {
  let folder: string;
  let chain: RunningChain;
  let facilitator: RunningProcess;
  let env: Record<string, string>;
  let removeDatabase: () => Promise<unknown> = async () => {};
  const started: RunningProcess[] = [];

  before(async () => {
    assert.ok('env' in s3, 'CI must provide S3_TEST_ENDPOINT');
    folder = await mkdtemp(join(tmpdir(), 'concours-production-'));
    const { url } = await openDatabase({ empty: true, connections: 1 }, (close) => {
      removeDatabase = close;
    });
    const facilitatorKey = generatePrivateKey();
    chain = await startChain({
      dataDir: folder,
      facilitatorAddress: privateKeyToAddress(facilitatorKey),
      log: pino({ level: 'silent' }),
    });
    facilitator = startScript('test/support/servers/facilitator-server.ts', [chain.rpcUrl, facilitatorKey], {
      messages: true,
    });
    const facilitatorPort = await firstLine(facilitator);
    env = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PUBLIC_URL: 'https://market.example',
      DATABASE_URL: url,
      ...s3.env,
      NETWORK: 'eip155:84532',
      RPC_URL: chain.rpcUrl,
      FACILITATOR_URL: `http://127.0.0.1:${facilitatorPort}`,
      TREASURY_KEY: generatePrivateKey(),
      SECRETS_KEY: randomBytes(32).toString('hex'),
      OPERATOR_KEY: randomBytes(32).toString('base64url'),
      MIN_OPEN_SECONDS: '60',
      EARLY_ACCESS_SECONDS: '0',
    };
  });

  after(async () => {
    for (const running of [...started, facilitator]) await running?.kill('SIGKILL');
    await chain?.stop();
    if (folder) await removeFolder(folder);
    await removeDatabase();
  });

  async function start(port: number): Promise<RunningProcess> {
    const running = startScript('server/main.ts', [], { env: { ...env, PORT: String(port) } });
    started.push(running);
    await untilReady(running, `http://127.0.0.1:${port}`);
    return running;
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
    const doubtful: [string, Record<string, string>][] = [
      ['DATABASE_URL', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
      ['S3_ENDPOINT', { S3_BUCKET: 'no-such-bucket-here' }],
      ['FACILITATOR_URL', { FACILITATOR_URL: 'http://127.0.0.1:1' }],
      ['NETWORK', { NETWORK: 'eip155:8453' }],
      ['HOST', { HOST: '192.0.2.1' }],
    ];
    await Promise.all(
      doubtful.map(async ([name, change]) => {
        const settings = { ...env, PORT: String(await freePort()), ...change };
        const running = startScript('server/main.ts', [], { env: settings });
        assert.equal(await running.ended, 1, name);
        assert.match(running.output(), new RegExp(`\\b${name}\\b`), name);
      }),
    );
  });

  it('runs the whole journey through two processes, with S3 uploads and without the faucet', async () => {
    const [portA, portB] = [await freePort(), await freePort()];
    const [first, second] = await Promise.all([start(portA), start(portB)]);
    const a = `http://127.0.0.1:${portA}`;
    const b = `http://127.0.0.1:${portB}`;
    const faucet = await call(a, 'POST', '/dev/faucet', { body: { address: newPayer().address, amount_usdc: 1 } });
    assert.equal(faucet.status, 404);
    const network = await call(b, 'GET', '/network');
    assert.equal(network.body.data.development, false);
    assert.equal('rpc_url' in network.body.data, false);

    const poster = await registerPoster(a);
    const draft = expectStatus(await call(b, 'POST', '/posters/me/projects', { key: poster.key, body: brief() }), 201);
    const projectId = draft.body.data.project.id as string;
    const funder = newPayer();
    await chain.mintUsdc(funder.address, 1_000_000);
    expectStatus(
      await call(a, 'POST', `/posters/me/projects/${projectId}/publish`, { key: poster.key, fetch: funder.pay }),
      200,
    );

    const agent = await registerAgent(b);
    const intent = await createIntent(a, agent.key, projectId);
    const payer = newPayer();
    await chain.mintUsdc(payer.address, 1_000_000);
    const picture = await testPicture(3);
    const upload = expectStatus(
      await requestUpload(b, {
        key: agent.key,
        projectId,
        submissionId: intent.id,
        sizeBytes: picture.length,
        fetch: payer.pay,
      }),
      200,
    );
    assert.ok(upload.body.data.uploadUrl.startsWith(`${env['S3_ENDPOINT']}/`), 'straight to S3');
    assert.equal(await putPicture(upload.body.data.uploadUrl, picture), 200);
    expectStatus(await confirm(a, agent.key, projectId, intent.id), 200);

    // Each process serves pictures from S3, also by links that the other process created.
    const { submissions } = await galleryPage(b, poster.key, projectId);
    for (const target of [submissions[0]!.image_url, submissions[0]!.thumbnail_url]) {
      assert.ok(target.startsWith('https://market.example/media/'), target);
      const response = await fetch(target.replace('https://market.example', a));
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp']);
      assert.ok((await response.arrayBuffer()).byteLength > 100);
    }

    // So are originals, which the store has byte for byte.
    const own = await call(a, 'GET', `/agents/me/submissions/${intent.id}/files`, { key: agent.key });
    const [file] = expectStatus(own, 200).body.data.files;
    const original = await fetch(file.url.replace('https://market.example', b));
    assert.ok(Buffer.from(await original.arrayBuffer()).equals(picture));

    const books = await ledger({ url: b, operatorKey: env['OPERATOR_KEY'] ?? '' });
    assert.deepEqual(books.problems, []);
    assert.deepEqual([books.balanced, books.chain_matches], [true, true]);
    const secrets = [poster.key, agent.key, upload.body.data.uploadUrl as string];
    for (const name of ['TREASURY_KEY', 'SECRETS_KEY', 'OPERATOR_KEY', 'S3_SECRET_ACCESS_KEY'])
      secrets.push(env[name]!);
    for (const { output } of [first, second]) {
      assert.match(output(), /"operation":"requestUpload"|"operation":"createIntent"/, 'a line for each request');
      assert.deepEqual(
        secrets.filter((secret) => output().includes(secret)),
        [],
        'and no secret in any',
      );
    }
    assert.equal(await first.kill('SIGTERM'), 0, first.output());
    assert.equal(await second.kill('SIGTERM'), 0, second.output());
  });
});
