import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createPool } from '../../server/db/pool.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { payoutNonce } from '../../server/payouts/references.ts';
import { SignerUnavailable } from '../../server/ports/payments/treasury.ts';
import { createRemoteTreasury } from '../../server/signer/remote-treasury.ts';
import { newPayer } from '../support/clients/client.ts';
import { makeCertificates } from '../support/webhooks/certificates.ts';
import { type Payout, RECEIVES_MICRO, requestFor, signedWorld, USDC } from '../support/worlds/signed-world.ts';

// The signer refuses everything that is not a payout of its database, whoever asks.

const world = await signedWorld();
const { db, folder, env, owner, treasury, signers, processes, books, ready, decide, settled, payoutsOf, ask } = world;

describe('a claimed payout that waits for its signature', () => {
  it('gets one for exactly this transfer, and is paid once', async () => {
    const [paid, one] = [await ready(), await ready()];
    await decide(paid);
    await settled(paid);
    await processes.service.crashAt('before signing');
    await decide(one).catch(() => {});
    await processes.service.running.ended;
    const [payout] = await payoutsOf(one);
    assert.equal(payout?.state, 'sending');
    const [claim] = await db`select signature from payments where subject_id = ${payout.id}`;
    assert.equal(claim?.['signature'], null);
    await assertForgeriesRefused(payout, (await payoutsOf(paid))[0]!);
    // A recovery finds another end of the project on chain.
    await db`
      insert into contradicted_projects (project_id, tx_hash, log_index, amount_micro, found_at)
      values (${one.project.id}, ${`0x${'1'.repeat(64)}`}, 0, 1, now())`;
    const contradicted = await ask('/v1/sign', requestFor(payout));
    assert.deepEqual([contradicted.status, contradicted.body['code']], [403, 'contradicted']);
    await db`delete from contradicted_projects where project_id = ${one.project.id}`;
    await world.startAgain();
    await world.assertPrizePaid(one);
    // The payout is paid: its exact request gets no second signature.
    const again = await ask('/v1/sign', requestFor(payout));
    assert.deepEqual([again.status, again.body['code']], [403, 'settled']);
  });
});

async function assertForgeriesRefused(payout: Payout, paid: Payout): Promise<void> {
  const good = requestFor(payout);
  const forgeries: [object | string, number, string][] = [
    [{ ...good, recipient: owner }, 403, 'wrong_recipient'],
    [{ ...good, recipient: treasury }, 403, 'wrong_recipient'],
    [{ ...good, amount_micro: RECEIVES_MICRO + 1 }, 403, 'wrong_amount'],
    [{ ...good, amount_micro: 1 }, 403, 'wrong_amount'],
    [{ ...good, amount_micro: 30_000 * USDC }, 403, 'over_cap'],
    [{ ...good, nonce: payoutNonce('project:other:prize') }, 403, 'wrong_nonce'],
    [{ ...good, asset: owner }, 403, 'wrong_token'],
    [{ ...good, network: 'eip155:8453' }, 403, 'wrong_network'],
    [{ ...good, kind: 'refund' }, 403, 'wrong_kind'],
    [{ ...good, valid_before: Math.floor(Date.now() / 1000) - 1 }, 403, 'expired'],
    [{ ...good, valid_before: good.valid_before + 86_400 }, 403, 'too_long'],
    [{ ...good, payout_id: randomUUIDv7() }, 403, 'no_payout'],
    [{ ...good, payout_id: paid.id, nonce: payoutNonce(paid.reference) }, 403, 'settled'],
    [{ ...good, message: '0xdeadbeef' }, 400, 'malformed'],
    [{ message: '0xdeadbeef' }, 400, 'malformed'],
    [{ primaryType: 'Permit', domain: {}, types: {}, message: {} }, 400, 'malformed'],
    ['{"kind":', 400, 'malformed'],
    [`"${'x'.repeat(10_000)}"`, 400, 'malformed'],
  ];
  for (const [body, status, code] of forgeries) {
    const answer = await ask('/v1/sign', body);
    assert.deepEqual([answer.status, answer.body['code']], [status, code], JSON.stringify(body).slice(0, 300));
    assert.equal(answer.body['signature'], undefined);
  }
  for (const path of ['/v1/sign-message', '/v2/sign', '/', '/v1/key'])
    assert.equal((await ask(path, good)).status, 404, path);
  assert.equal((await ask('/v1/sign', good)).status, 200, 'and the request itself is fine');
}

describe('the writer of a database', () => {
  it('gets no signature for rows that follow from nothing', async () => {
    const one = await ready();
    await decide(one);
    await settled(one);
    const mine = newPayer().address.toLowerCase();
    type Forged = { submissionId?: string; agentId?: string; paymentId?: string };
    // A forged payout with its claim, as a stolen worker could write it.
    const forge = async (kind: string, reference: string, { submissionId, agentId, paymentId }: Forged = {}) => {
      const [id, claim] = [randomUUIDv7(), randomUUIDv7()];
      const paymentKind = kind === 'return' || kind === 'refund' ? 'refund' : 'payout';
      await db`
        insert into payouts (id, reference, kind, project_id, submission_id, agent_id, payment_id, amount_micro, debit_account,
          recipient, state, due_at, created_at, updated_at, sent_at)
        values (${id}, ${reference}, ${kind}, ${submissionId ? one.project.id : null}, ${submissionId ?? null},
          ${agentId ?? null}, ${paymentId ?? null}, 200000, 'revenue', ${mine}, 'sending', now(), now(), now(), now())`;
      await db`
        insert into payments (id, kind, subject_id, network, asset, payer, pay_to, amount_micro, auth_nonce, valid_before,
          x402_version, payload, requirements, from_block, state, created_at, updated_at, sweep_at)
        values (${claim}, ${paymentKind}, ${id}, 'eip155:84532', '0x036cbd53842c5426634e7929541ec2318f3dcf7e', ${treasury},
          ${mine}, 200000, ${payoutNonce(reference)}, 1, 2, '{}', '{}', 1, 'settling', now(), now(), now() + interval '1 day')`;
      const request = requestFor({ id, reference, recipient: mine, state: '', note: null });
      const answer = await ask('/v1/sign', { ...request, amount_micro: 200_000, kind: paymentKind });
      await db`delete from payments where id = ${claim}`;
      await db`delete from payouts where id = ${id}`;
      return [answer.status, answer.body['code']];
    };
    const winner = { submissionId: one.entry.submissionId, agentId: one.entry.id };
    assert.deepEqual(await forge('withdrawal', `withdrawal:${randomUUIDv7()}`), [403, 'address_not_listed']);
    assert.deepEqual(await forge('return', `stray:${randomUUIDv7()}`), [403, 'not_owed']);
    const [fee] = await db<{ id: string }[]>`select id from payments where subject_id = ${winner.submissionId}`;
    assert.deepEqual(await forge('refund', `refund:${fee!.id}`, { paymentId: fee!.id }), [403, 'not_owed']);
    const share = `project:${one.project.id}:share:${one.entry.submissionId}`;
    assert.deepEqual(await forge('share', share, winner), [403, 'not_owed']);
    await books();
  });

  it('is not the signer: its role reads one view', async () => {
    const pool = createPool({ url: env.DATABASE_URL, connections: 1 });
    try {
      assert.ok((await pool`select payout_id from signer_transfers`).length > 0);
      for (const act of [
        'select 1 from payouts',
        'select 1 from agents',
        "update payouts set note = 'x'",
        "update signer_transfers set state = 'x'",
        'delete from signer_transfers',
        "insert into withdrawal_addresses values ('0x', 'x', 'x', now(), now())",
        'create table mine (id int)',
      ])
        await assert.rejects(
          pool.unsafe(act),
          (error: { code?: string }) => ['42501', '55000'].includes(error.code ?? ''),
          act,
        );
    } finally {
      await pool.end();
    }
  });
});

describe('a signer', () => {
  it('refuses to start beside another one, in a folder of everybody, or without its settings', async () => {
    const refusals: [Record<string, string>, RegExp][] = [
      [{}, /SIGNER_STATE: another signer uses the file/],
      [{ SIGNER_STATE: join(folder, 'other') }, /SIGNER_LISTEN: another process listens at/],
      [
        { SIGNER_STATE: join(folder, 'third'), SIGNER_LISTEN: `unix:${join(folder, 'open', 's')}` },
        /every user may replace/,
      ],
      [{ SIGNER_STATE: '', TREASURY_KEY: '' }, /TREASURY_KEY: missing\nSIGNER_STATE: missing/],
      [{ TREASURY_ADDRESS: owner }, /TREASURY_ADDRESS: TREASURY_KEY belongs to another address/],
      [{ SIGNER_LISTEN: 'https://127.0.0.1:1' }, /https:\/\/ needs SIGNER_CA, SIGNER_CERT, and SIGNER_KEY/],
    ];
    await mkdir(join(folder, 'open'));
    await chmod(join(folder, 'open'), 0o777);
    for (const [change, why] of refusals) {
      const refused = signers.launch({ ...env, ...change });
      assert.equal(await refused.ended, 1, refused.output());
      assert.match(refused.output(), why);
    }
  });
});

it('over TCP, a signer answers clients with a certificate of its authority only', async () => {
  const certificates = await makeCertificates(['127.0.0.1']);
  const { ca, valid, unknownAuthority } = certificates;
  const keyFile = join(folder, 'key.pem');
  await writeFile(keyFile, valid.key, { mode: 0o600 });
  const at = `https://127.0.0.1:${await freePort()}`;
  await signers.start({
    ...env,
    SIGNER_LISTEN: at,
    SIGNER_STATE: join(folder, 'tls'),
    SIGNER_CA: ca,
    SIGNER_CERT: valid.cert,
    SIGNER_KEY_FILE: keyFile,
  });
  const client = (own: { cert: string; key: string }, address = treasury, authority = ca) =>
    createRemoteTreasury({ address, url: at, certificates: { ca: authority, ...own } });
  await client(valid).check?.();
  await assert.rejects(async () => await client(unknownAuthority).check?.(), SignerUnavailable);
  await assert.rejects(async () => await client(certificates.expired).check?.(), SignerUnavailable);
  await assert.rejects(async () => await client({ cert: '', key: '' }).check?.(), SignerUnavailable);
  await assert.rejects(async () => await client(valid, owner).check?.(), /it has another key/);
  await assert.rejects(
    async () => await createRemoteTreasury({ address: treasury, url: at, certificates: null }).check?.(),
    SignerUnavailable,
  );
});
