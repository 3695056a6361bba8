import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { z } from 'zod';
import { manifestClaims } from '../../contract/projects/manifest.ts';
import { createSigning } from '../../server/signing/signing.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, type OpenProject, openProject, ownProject, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { commandLine } from '../support/sdk/cli.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';
import { deliveryJourney } from './delivery-suite.ts';

// Deliveries from the disk. The delivery manifest: who reads it and when, and the command `concours verify`.

const world = await sharedWorld();
const { url, rpcUrl } = world;
const TYPE = 'concours-delivery+jwt';

type Claims = z.output<typeof manifestClaims>;

const readManifest = ({ key, submissionId }: Contestant) =>
  call(url, 'GET', `/agents/me/submissions/${submissionId}/manifest`, { key });

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
const jws = expectStatus(await readManifest(winner), 200).body.data.manifest as string;
const picture = await testPicture(1);

describe('the manifest of a settled award', () => {
  it('states the purchase, and plain JOSE verifies it with the published keys', async () => {
    codeIs(await readManifest(loser), 409, 'NOT_AWARDED');
    const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(jws, keys, { issuer: url, typ: TYPE });
    const claims = manifestClaims.strict().parse(payload);
    const { terms_hash, terms } = expectStatus(await call(url, 'GET', `/projects/${project.id}/terms`), 200).body.data;
    const money = expectStatus(await call(url, 'GET', `/projects/${project.id}/money`), 200).body.data;
    const feeOfWinner = (each: { payer: string }) => each.payer === winner.payer.address;
    const { iat, asset, awarded_at, settled_at, ...stated } = claims;
    assert.match(asset, /^0x[0-9a-fA-F]{40}$/);
    assert.ok(awarded_at <= settled_at);
    assert.equal(iat, Math.floor(Date.parse(settled_at) / 1000));
    assert.deepEqual(stated, {
      iss: url,
      project_id: project.id,
      submission_id: winner.submissionId,
      terms_hash,
      licence: { id: terms.licence.id, sha256: terms.licence.sha256 },
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
      payer: project.funder.address,
      payee: winner.payer.address,
      prize_tx: money.prize.tx_hash,
      fee_tx: money.entry_fees.payments.find(feeOfWinner).tx_hash,
      payout_tx: money.payouts[0].tx_hash,
      payout_micro: 1_900_000,
    });
  });
});

describe('concours verify', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'concours-verify-'));
  after(() => rm(folder, { recursive: true }));
  const concours = commandLine(folder);
  /** Another issuer, whose keys the test has. */
  const signing = createSigning({ secretsKey: randomBytes(32).toString('hex'), earlierKeys: [], publicUrl: url });
  const file = async (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
  const jwks = await file('jwks.json', await (await fetch(`${url}/.well-known/jwks.json`)).text());
  const otherJwks = await file('other.json', JSON.stringify({ keys: signing.keys }));
  const manifest = await file('manifest.jwt', `${jws}\n`);
  const original = await file('logo.png', picture);

  const run = (...args: string[]) => concours(['verify', ...args]);

  /** Signs changed claims with the key of the other issuer. */
  const resigned = async (name: string, change: Partial<Claims>) => {
    const claims = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as Claims;
    return await file(name, await signing.signClaims(TYPE, { ...claims, ...change }));
  };

  it('accepts the manifest and the file, and names the items that nobody gave it', async () => {
    const { code, stdout, stderr } = await run(manifest, original, '--jwks', jwks);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^✔ signature: by ${url}, with the key did:web:`));
    assert.match(stdout, /✔ \S+logo\.png: item 1 \(entry\.png\), SHA-256 [0-9a-f]{64}/);
    assert.match((await run(manifest, '--jwks', jwks)).stdout, /^– not checked: item 1 \(entry\.png\)/m);
    const { stdout: text } = await run(manifest, original, '--jwks', jwks, '--json');
    const { ok, checks } = JSON.parse(text) as { ok: boolean; checks: { check: string; ok: boolean }[] };
    assert.deepEqual([ok, checks.map(({ check }) => check)], [true, ['signature', 'file']]);
  });

  it('refuses a changed manifest, and one whose key is not published', async () => {
    const [header, payload = '', signature] = jws.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    const forged = Buffer.from(JSON.stringify({ ...claims, payee: project.funder.address })).toString('base64url');
    const changed = await file('forged.jwt', [header, forged, signature].join('.'));
    const { code, stdout } = await run(changed, original, '--jwks', jwks);
    assert.deepEqual([code, stdout], [1, '✖ signature: not valid; the manifest was changed or forged\n']);
    const unknown = await run(manifest, '--jwks', otherJwks);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stdout, /✖ signature: .* publishes no key did:web:/);
  });

  it('asks the issuer for its keys, and a node for the transactions', async () => {
    const { code, stdout } = await run(manifest, original, '--issuer', url, '--node', rpcUrl);
    assert.equal(code, 0, stdout);
    assert.match(stdout, new RegExp(`✔ prize_tx: 2 USDC from ${project.funder.address} to 0x`));
    assert.match(stdout, new RegExp(`✔ fee_tx: 0\\.25 USDC from ${winner.payer.address} to 0x`));
    assert.match(stdout, new RegExp(`✔ payout_tx: 1\\.9 USDC from 0x[0-9a-fA-F]+ to ${winner.payer.address}`));
  });

  it('refuses transactions that do not fit, even if the service signed them', async () => {
    const cases: [Partial<Claims>, RegExp][] = [
      [
        { payee: loser.payer.address },
        /✖ payout_tx: .* no transfer of at least 1\.9 USDC from the recipient of the prize to the payee/,
      ],
      [{ payer: loser.payer.address }, /✖ prize_tx: .* no transfer of its token from the payer/],
      [{ payout_tx: `0x${'00'.repeat(32)}` }, /✖ payout_tx/],
    ];
    for (const [change, expected] of cases) {
      const { code, stdout } = await run(await resigned('lie.jwt', change), '--jwks', otherJwks, '--node', rpcUrl);
      assert.equal(code, 1);
      assert.match(stdout, expected);
    }
  });

  it('says when it cannot check, with another exit code', async () => {
    const cases: [string[], RegExp][] = [
      [['missing.jwt', '--jwks', jwks], /missing\.jwt cannot be read/],
      [[original, '--jwks', jwks], /logo\.png is not a delivery manifest/],
      [[manifest, '--jwks', jwks, '--node', 'http://127.0.0.1:9'], /http:\/\/127\.0\.0\.1:9 did not answer/],
    ];
    for (const [args, expected] of cases) {
      const { code, stderr } = await run(...args);
      assert.deepEqual([code, expected.test(stderr)], [2, true], stderr);
    }
  });
});

describe('deliveries', () => deliveryJourney('disk', world));
