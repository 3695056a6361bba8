import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { z } from 'zod';
import { manifestClaims } from '../../contract/projects/manifest.ts';
import cli from '../../cli/package.json' with { type: 'json' };
import { call } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter } from '../support/clients/contestants.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, type OpenProject, openProject, registerAgent, testPicture } from '../support/clients/journey.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { ownProject } from '../support/endings/ending.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The delivery manifest: who reads it and when, and the command `concours verify`, which runs in a process of its own,
// from a copy of its package, without a network unless the test says so.

const world = await startWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '100000', LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000' },
});
const { url, operatorKey, service, chain, errors } = world;
const { db, signing } = service.deps;
const TYPE = 'concours-delivery+jwt';

type Claims = z.output<typeof manifestClaims>;

const readManifest = (key: string | undefined, submissionId: string) =>
  call(url, 'GET', `/agents/me/submissions/${submissionId}/manifest`, key === undefined ? {} : { key });

const completed = (project: OpenProject) =>
  until('completed', async () => (await ownProject(world, project))['status'] === 'completed');

/** Runs a project of two entries to its end. */
async function awarded(): Promise<{ project: OpenProject; winner: Contestant; loser: Contestant }> {
  const project = await openProject(world, { prizeUsdc: 2 });
  const [winner, loser] = [await enter(world, project), await enter(world, project, { seed: 2 })];
  expectStatus(await close(world, project), 200);
  expectStatus(await choose(world, project, winner), 200);
  await completed(project);
  return { project, winner, loser };
}

const { project, winner, loser } = await awarded();
const jws = expectStatus(await readManifest(winner.key, winner.submissionId), 200).body.data.manifest as string;
const picture = await testPicture(1);

describe('the manifest of a settled award', () => {
  it('states the purchase, and plain JOSE verifies it with the published keys', async () => {
    const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(jws, keys, { issuer: url, typ: TYPE });
    const claims = manifestClaims.strict().parse(payload);
    const [row] = await db`
      select p.terms_hash, p.licence, p.network, p.asset, p.awarded_at, s.paid_at, prize.tx_hash as prize_tx,
        fee.tx_hash as fee_tx, payout.tx_hash as payout_tx, t.canonical::json #>> '{licence,sha256}' as sha256
      from projects p join submissions s on s.id = p.winner_submission_id
      join payments prize on prize.subject_id = p.id join payments fee on fee.subject_id = s.id
      join payouts payout on payout.submission_id = s.id
      join project_terms t on t.project_id = p.id and t.version = p.terms_version
      where p.id = ${project.id}`;
    assert.deepEqual(claims, {
      iss: url,
      iat: Math.floor((row!['paid_at'] as Date).getTime() / 1000),
      project_id: project.id,
      submission_id: winner.submissionId,
      terms_hash: row!['terms_hash'],
      licence: { id: row!['licence'], sha256: row!['sha256'] },
      files: [
        {
          item: 1,
          file_name: 'entry.png',
          content_type: 'image/png',
          size_bytes: picture.length,
          sha256: createHash('sha256').update(picture).digest('hex'),
        },
      ],
      network: 'eip155:84532',
      asset: row!['asset'],
      payer: project.funder.address,
      payee: winner.payer.address,
      prize_tx: row!['prize_tx'],
      fee_tx: row!['fee_tx'],
      payout_tx: row!['payout_tx'],
      awarded_at: (row!['awarded_at'] as Date).toISOString(),
      settled_at: (row!['paid_at'] as Date).toISOString(),
    });
    assert.match(claims.licence?.sha256 ?? '', /^[0-9a-f]{64}$/);
  });

  it('is the same text each time', async () => {
    assert.equal((await readManifest(winner.key, winner.submissionId)).body.data.manifest, jws);
  });

  it('is for the winning agent alone', async () => {
    const { submissionId } = winner;
    const stranger = await registerAgent(url);
    codeIs(await readManifest(loser.key, loser.submissionId), 409, 'NOT_AWARDED');
    codeIs(await readManifest(loser.key, submissionId), 404, 'SUBMISSION_NOT_FOUND');
    codeIs(await readManifest(stranger.key, submissionId), 404, 'SUBMISSION_NOT_FOUND');
    codeIs(await readManifest(winner.key, loser.submissionId), 404, 'SUBMISSION_NOT_FOUND');
    codeIs(await readManifest(project.poster.key, submissionId), 401, 'INVALID_API_KEY');
    codeIs(await readManifest(operatorKey, submissionId), 401, 'INVALID_API_KEY');
    codeIs(await readManifest(undefined, submissionId), 401, 'UNAUTHORIZED');
  });

  it('does not exist before the prize is settled', async () => {
    const free = await openProject(world, { entryFeeUsdc: 0 });
    const entry = await enter(world, free, { wallet: 'none' });
    const rival = await enter(world, free, { seed: 2, wallet: 'none' });
    codeIs(await readManifest(entry.key, entry.submissionId), 409, 'NOT_AWARDED');
    expectStatus(await close(world, free), 200);
    expectStatus(await choose(world, free, entry), 200);
    // The prize waits for a wallet.
    codeIs(await readManifest(entry.key, entry.submissionId), 409, 'NOT_AWARDED');
    expectStatus(await linkPayer(url, entry.key, entry.payer), 200);
    await completed(free);
    const { manifest } = expectStatus(await readManifest(entry.key, entry.submissionId), 200).body.data;
    const { payload } = await jwtVerify<Claims>(manifest, createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`)));
    assert.deepEqual([payload.payee, payload.fee_tx], [entry.payer.address, null]);
    codeIs(await readManifest(rival.key, rival.submissionId), 409, 'NOT_AWARDED');
  });

  it('gives every answer that its operation lists', () => assert.deepEqual(notSeen('getManifest'), []));
});

describe('concours verify', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'concours-cli-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const root = join(import.meta.dirname, '..', '..');
  const installed = join(folder, 'installed');
  // As npm installs it: the compiled package, and its dependencies.
  await promisify(execFile)('tsc', ['-p', join(root, 'cli'), '--outDir', join(installed, 'dist')]);
  await cp(join(root, 'cli', 'package.json'), join(installed, 'package.json'));
  await symlink(join(root, 'node_modules'), join(installed, 'node_modules'));
  await mkdir(join(folder, 'work'));
  const file = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, 'work', name), content);
    return name;
  };
  const jwks = await file('jwks.json', JSON.stringify({ keys: signing.keys }));
  const manifest = await file('manifest.jwt', `${jws}\n`);
  const original = await file('logo.png', picture);

  type Run = { code: number; stdout: string; stderr: string };

  /** Node's permission model allows reads alone, so an offline run cannot reach any network. */
  function run(args: string[], { online = false } = {}): Promise<Run> {
    const limits = online ? [] : ['--permission', '--allow-fs-read=*', '--disable-warning=SecurityWarning'];
    return new Promise((resolve) =>
      execFile(
        process.execPath,
        [...limits, join(installed, cli.bin.concours), 'verify', ...args],
        { cwd: join(folder, 'work'), env: {} },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      ),
    );
  }

  /** Signs changed claims with the key of the service. */
  const resigned = async (name: string, change: Partial<Claims>) => {
    const claims = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as Claims;
    return await file(name, await signing.signClaims(TYPE, { ...claims, ...change }));
  };

  it('accepts the manifest and the file, offline', async () => {
    const { code, stdout, stderr } = await run([manifest, original, '--jwks', jwks]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^✔ signature: by ${url}, with the key did:web:`));
    assert.match(stdout, /✔ logo\.png: item 1 \(entry\.png\), SHA-256 [0-9a-f]{64}/);
  });

  it('names the items that nobody gave it', async () => {
    const { code, stdout } = await run([manifest, '--jwks', jwks]);
    assert.equal(code, 0);
    assert.match(stdout, /^– not checked: item 1 \(entry\.png\)/m);
  });

  it('refuses a file with one changed byte', async () => {
    const bytes = Uint8Array.from(picture);
    bytes[bytes.length - 1]! ^= 1;
    const { code, stdout } = await run([manifest, await file('changed.png', bytes), original, '--jwks', jwks]);
    assert.equal(code, 1);
    assert.match(stdout, /✖ changed\.png: not in the manifest; its SHA-256 is [0-9a-f]{64}\. The file was changed/);
    assert.match(stdout, /✔ logo\.png/);
  });

  it('refuses a changed manifest, and checks nothing else of it', async () => {
    const [header, payload = '', signature] = jws.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    const forged = Buffer.from(JSON.stringify({ ...claims, payee: project.funder.address })).toString('base64url');
    const changed = await file('forged.jwt', [header, forged, signature].join('.'));
    const { code, stdout } = await run([changed, original, '--jwks', jwks]);
    assert.equal(code, 1);
    assert.equal(stdout, '✖ signature: not valid; the manifest was changed or forged\n');
  });

  it('refuses a manifest whose key is not published', async () => {
    const { code, stdout } = await run([manifest, '--jwks', await file('none.json', '{"keys":[]}')]);
    assert.equal(code, 1);
    assert.match(stdout, /✖ signature: .* publishes no key did:web:/);
  });

  it('accepts the key of a service that has moved to another host', async () => {
    const moved = signing.keys.map((key) => ({
      ...key,
      kid: key.kid.replace(/^did:web:[^#]+/, 'did:web:new.example'),
    }));
    const { code } = await run([manifest, '--jwks', await file('moved.json', JSON.stringify({ keys: moved }))]);
    assert.equal(code, 0);
  });

  it('asks the issuer for its keys, and a node for the transactions', async () => {
    const { code, stdout } = await run([manifest, original, '--node', chain.rpcUrl], { online: true });
    assert.equal(code, 0, stdout);
    const { payTo } = service.deps;
    assert.match(stdout, new RegExp(`✔ prize_tx: 2 USDC from ${project.funder.address} to ${payTo}`));
    assert.match(stdout, new RegExp(`✔ fee_tx: 0\\.25 USDC from ${winner.payer.address} to ${payTo}`));
    assert.match(stdout, new RegExp(`✔ payout_tx: 1\\.9 USDC from ${payTo} to ${winner.payer.address}`));
  });

  it('refuses transactions that do not fit, even if the service signed them', async () => {
    const cases: [Partial<Claims>, RegExp][] = [
      [{ payee: loser.payer.address }, /✖ payout_tx: .* no transfer of its token to the payee/],
      [{ payer: loser.payer.address }, /✖ prize_tx: .* no transfer of its token from the payer/],
      [{ payout_tx: `0x${'00'.repeat(32)}` }, /✖ payout_tx/],
      [{ asset: loser.payer.address }, /✖ payout_tx/],
    ];
    for (const [change, expected] of cases) {
      const lie = await resigned('lie.jwt', change);
      const { code, stdout } = await run([lie, '--jwks', jwks, '--node', chain.rpcUrl], { online: true });
      assert.equal(code, 1);
      assert.match(stdout, expected);
    }
  });

  it('says when it cannot check, with another exit code', async () => {
    const cases: [string[], RegExp][] = [
      [[], /missing required argument 'manifest'/],
      [['--wrong'], /unknown option '--wrong'/],
      [['missing.jwt', '--jwks', jwks], /missing\.jwt cannot be read/],
      [[original, '--jwks', jwks], /logo\.png is not a delivery manifest/],
      [[manifest, '--jwks', original], /logo\.png is not a JWK Set/],
      [[manifest, 'missing.png', '--jwks', jwks], /missing\.png cannot be read/],
      [[manifest, '--jwks', jwks, '--node', 'http://127.0.0.1:9'], /http:\/\/127\.0\.0\.1:9 did not answer/],
      [
        [await resigned('base.jwt', { network: 'eip155:8453' }), '--node', chain.rpcUrl],
        /the manifest is of eip155:8453/,
      ],
    ];
    for (const [args, expected] of cases) {
      const { code, stderr } = await run(args, { online: true });
      assert.deepEqual([code, expected.test(stderr)], [2, true], stderr);
    }
  });

  it('prints names of files without control characters, and JSON for programs', async () => {
    const claims = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as Claims;
    const files = claims.files.map((each) => ({ ...each, file_name: '\u001b[2Jlogo\u202egnp.png' }));
    const hostile = await resigned('hostile.jwt', { files });
    const { stdout } = await run([hostile, original, '--jwks', jwks]);
    assert.match(stdout, /\(\uFFFD\[2Jlogo\uFFFDgnp\.png\)/);
    const { stdout: text } = await run([manifest, original, '--jwks', jwks, '--json']);
    const { ok, checks } = JSON.parse(text) as { ok: boolean; checks: { check: string; ok: boolean }[] };
    assert.deepEqual([ok, checks.map(({ check }) => check)], [true, ['signature', 'file']]);
  });
});

it('logs no error', () => assert.deepEqual(errors, []));
