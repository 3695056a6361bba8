import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { createPool } from '../../server/db/pool.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { payoutNonce } from '../../server/payouts/references.ts';
import { SignerUnavailable } from '../../server/ports/treasury.ts';
import { createRemoteTreasury } from '../../server/signer/remote-treasury.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  type OpenProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { executeOutside } from '../support/clients/strays.ts';
import { assertBooks } from '../support/worlds/ending.ts';
import { type RunningProcess, until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { signerProcesses, signerRole } from '../support/processes/signer-process.ts';
import { makeCertificates } from '../support/webhooks/certificates.ts';

// The treasury's key is in a process of its own, which signs payouts of this database and nothing else.

const USDC = 1_000_000;
const RECEIVES_MICRO = 950_000;
const FEE_MICRO = 250_000;
const MANY = '1000000';

const folder = await mkdtemp(join(tmpdir(), 'concours-signer-'));
after(() => rm(folder, { recursive: true, force: true }));
const treasuryKey = generatePrivateKey();
const treasury = privateKeyToAddress(treasuryKey).toLowerCase();
const socket = join(folder, 'signer.sock');
const ground = await prepareWorld({
  treasuryKey,
  env: {
    SIGNER_URL: `unix:${socket}`,
    TREASURY_ADDRESS: treasury,
    LIMIT_POSTER_PER_MINUTE: MANY,
    LIMIT_REGISTRATIONS_PER_HOUR: MANY,
    LIMIT_PAYMENTS_PER_HOUR: MANY,
  },
  paymentTimes: { waitMs: 5_000, leaseMs: 500 },
});
const { db, chain, operatorKey } = ground;
const signers = signerProcesses();
const databaseUrl = await signerRole(ground.databaseUrl);
const owner = newPayer().address.toLowerCase();
const env = {
  DATABASE_URL: databaseUrl,
  NETWORK: 'eip155:84532',
  TREASURY_KEY: treasuryKey,
  SIGNER_LISTEN: `unix:${socket}`,
  SIGNER_STATE: join(folder, 'signed'),
  SIGNER_WITHDRAWAL_ADDRESSES: owner,
};
let signer = await signers.start(env);
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };

async function restartSigner(change: Record<string, string> = {}): Promise<RunningProcess> {
  await signer.kill('SIGKILL');
  signer = await signers.start({ ...env, ...change });
  return signer;
}

async function operator(method: 'GET' | 'POST', path: string, body?: object) {
  const answer = await call(url, method, `/operator${path}`, { key: operatorKey, ...(body ? { body } : {}) });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body.data;
}

type Payout = { id: string; state: string; note: string | null; reference: string; recipient: string };
type Case = { project: OpenProject; entry: Contestant };

/** A project with a paid entry, ready for the decision. */
async function ready(): Promise<Case> {
  const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: FEE_MICRO / USDC });
  const entry = await enter(market, project);
  expectStatus(await close(market, project), 200);
  return { project, entry };
}

const decide = async ({ project, entry }: Case) => expectStatus(await choose(market, project, entry), 200);
const cancel = ({ project }: Case) => operator('POST', `/projects/${project.id}/cancel`, { reason: 'A test' });
const payoutsOf = async ({ project }: Case) => [
  ...(await db<Payout[]>`select id, state, note, reference, recipient from payouts where project_id = ${project.id}`),
];
const settled = (one: Case) =>
  until('every payout is settled', async () => {
    const payouts = await payoutsOf(one);
    return payouts.length > 0 && payouts.every(({ state }) => state === 'settled');
  });
const retry = (id: string) => operator('POST', `/payouts/${id}/retry`, { reason: 'A test' });

async function assertPrizePaid(one: Case) {
  await settled(one);
  assert.equal(await chain.balanceMicro(one.entry.payer.address), FUNDS_MICRO - FEE_MICRO + RECEIVES_MICRO);
  await assertBooks({ url, operatorKey });
}

async function assertGivenBack(one: Case) {
  await settled(one);
  assert.equal(await chain.balanceMicro(one.entry.payer.address), FUNDS_MICRO);
  assert.equal(await chain.balanceMicro(one.project.funder.address), USDC);
}

/** Sends something to the socket, as a process that may use it could. */
function ask(path: string, body: unknown, method = 'POST'): Promise<{ status: number; body: Record<string, string> }> {
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath: socket, path, method }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    asking.on('error', reject);
    asking.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const metric = async (name: string) => (await (await fetch(`${url}/metrics`)).text()).includes(name);
const alerts = async (type: string) =>
  (await operator('GET', `/events?types=${type}`)).events as { data: { subject: string; message: string } }[];

describe('a service beside a signer', () => {
  it('pays a prize, refunds, a stray that goes back, and a withdrawal', async () => {
    const [won, lost] = [await ready(), await ready()];
    await decide(won);
    await cancel(lost);
    await assertPrizePaid(won);
    await assertGivenBack(lost);

    const project = await openProject(market, { entryFeeUsdc: 0.25 });
    const [{ key }, payer] = [await registerAgent(url), newPayer()];
    await ground.mintUsdc(payer.address, USDC);
    const { id: submissionId } = await createIntent(url, key, project.id);
    const upload = { key, projectId: project.id, submissionId, sizeBytes: 1000 };
    await executeOutside(ground.rpcUrl, payer, expectStatus(await requestUpload(url, upload), 402));
    await ledger({ url, operatorKey });
    const { strays } = await operator('GET', '/strays?state=unclaimed');
    await operator('POST', `/strays/${strays[0].id}/return`, { reason: 'A mistake' });
    await until('the stray is back', async () => (await chain.balanceMicro(payer.address)) === USDC);

    await operator('POST', '/withdrawal-addresses', { address: owner, reason: 'Our bank' });
    await operator('POST', '/withdrawals', { amount_usdc: 0.2, recipient: owner, reason: 'Earned' });
    await until('the withdrawal', async () => (await chain.balanceMicro(owner)) === 200_000);
    await until('its booking', async () => (await db`select 1 from payouts where state = 'sending'`).length === 0);
    await assertBooks({ url, operatorKey });
    assert.ok(await metric('concours_dependency_up{part="signer"} 1'));
    assert.doesNotMatch(signer.output(), new RegExp(treasuryKey.slice(2)));
  });

  it('lets a withdrawal wait that the signer’s own list does not name, and shows why', async () => {
    const thief = newPayer().address.toLowerCase();
    await operator('POST', '/withdrawal-addresses', { address: thief, reason: 'A thief with an admin key' });
    const { payout } = await operator('POST', '/withdrawals', { amount_usdc: 0.01, recipient: thief, reason: 'Mine' });
    const find = async () => (await db<Payout[]>`select * from payouts where id = ${payout.id}`)[0]!;
    const refused = await until('the refusal', async () => ((await find()).note === null ? null : await find()));
    assert.equal(refused.state, 'sending');
    assert.equal(refused.note, 'the signer refuses it: SIGNER_WITHDRAWAL_ADDRESSES does not name the recipient');
    const [alert] = await until('the alert', async () => {
      const found = (await alerts('ALERT.SIGNER_REFUSED')).filter(({ data }) => data.subject === `payout:${payout.id}`);
      return found.length > 0 && found;
    });
    assert.match(alert!.data.message, /SIGNER_WITHDRAWAL_ADDRESSES/);
    const [payment] = await db`select state, error from payments where subject_id = ${payout.id}`;
    assert.deepEqual([payment?.['state'], payment?.['error']], ['settling', 'signer_refused: address_not_listed']);
    await retry(payout.id);
    assert.equal(await chain.balanceMicro(thief), 0);
    await restartSigner({ SIGNER_WITHDRAWAL_ADDRESSES: `${owner}, ${thief}` });
    await retry(payout.id);
    assert.deepEqual([(await find()).state, (await find()).note], ['settled', null]);
  });
});

describe('a service that is killed', () => {
  it('before it asked the signer, pays once; and nobody else gets a signature meanwhile', async () => {
    const one = await ready();
    await service.crashAt('before signing');
    await decide(one).catch(() => {});
    await service.running.ended;
    const [payout] = await payoutsOf(one);
    assert.equal(payout?.state, 'sending');
    const [claim] = await db`select signature from payments where subject_id = ${payout.id}`;
    assert.equal(claim?.['signature'], null);
    await assertForgeriesRefused(payout);
    service = await ground.start(Number(new URL(url).port));
    await assertPrizePaid(one);
    // The payout is paid: its exact request gets no second signature.
    const again = await ask('/v1/sign', requestFor(payout));
    assert.deepEqual([again.status, again.body['code']], [403, 'settled']);
  });

  it('after the signer signed, pays once', async () => {
    const [prize, refund] = [await ready(), await ready()];
    for (const [one, act] of [
      [prize, decide],
      [refund, cancel],
    ] as const) {
      await service.crashAt('after signing');
      await act(one).catch(() => {});
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
      service = await ground.start(Number(new URL(url).port));
    }
    await assertGivenBack(refund);
    await assertPrizePaid(prize);
  });
});

function requestFor({ id, reference, recipient }: Payout) {
  return {
    kind: 'payout',
    payout_id: id,
    network: 'eip155:84532',
    asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    recipient,
    amount_micro: RECEIVES_MICRO,
    nonce: payoutNonce(reference),
    valid_before: Math.floor(Date.now() / 1000) + 3600,
  };
}

async function assertForgeriesRefused(payout: Payout): Promise<void> {
  const good = requestFor(payout);
  const [other] = await db<
    Payout[]
  >`select id, reference from payouts where state = 'settled' and kind = 'refund' limit 1`;
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
    [{ ...good, payout_id: other!.id, nonce: payoutNonce(other!.reference) }, 403, 'settled'],
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
    // A forged payout with its claim, as a stolen worker could write it.
    const forge = async (kind: string, reference: string, more: { submissionId?: string; agentId?: string } = {}) => {
      const [id, payment] = [randomUUIDv7(), randomUUIDv7()];
      await db`
        insert into payouts (id, reference, kind, project_id, submission_id, agent_id, payment_id, amount_micro, debit_account,
          recipient, state, due_at, created_at, updated_at, sent_at)
        values (${id}, ${reference}, ${kind}, ${more.submissionId ? one.project.id : null}, ${more.submissionId ?? null},
          ${more.agentId ?? null}, ${kind === 'refund' ? payment : null}, 500000, 'revenue', ${mine}, 'sending', now(),
          now(), now(), now())`.catch(async (error: unknown) => {
        if (kind !== 'refund') throw error;
      });
      await db`
        insert into payments (id, kind, subject_id, network, asset, payer, pay_to, amount_micro, auth_nonce, valid_before,
          x402_version, payload, requirements, from_block, state, created_at, updated_at, sweep_at)
        values (${payment}, ${kind === 'return' ? 'refund' : 'payout'}, ${id}, 'eip155:84532',
          '0x036cbd53842c5426634e7929541ec2318f3dcf7e', ${treasury}, ${mine}, 500000, ${payoutNonce(reference)}, 1, 2, '{}',
          '{}', 1, 'settling', now(), now(), now() + interval '1 day')`;
      const answer = await ask('/v1/sign', {
        ...requestFor({ id, reference, recipient: mine, state: '', note: null }),
        amount_micro: 500_000,
        kind: kind === 'return' ? 'refund' : 'payout',
      });
      await db`delete from payments where id = ${payment}`;
      await db`delete from payouts where id = ${id}`;
      return [answer.status, answer.body['code']];
    };
    const winner = { submissionId: one.entry.submissionId, agentId: one.entry.id };
    assert.deepEqual(await forge('withdrawal', `withdrawal:${randomUUIDv7()}`), [403, 'address_not_listed']);
    assert.deepEqual(await forge('return', `stray:${randomUUIDv7()}`), [403, 'not_owed']);
    const share = `project:${one.project.id}:share:${one.entry.submissionId}`;
    assert.deepEqual(await forge('share', share, winner), [403, 'not_owed']);
    await assertBooks({ url, operatorKey });
  });

  it('is not the signer: its role reads one view', async () => {
    const pool = createPool({ url: databaseUrl, connections: 1 });
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
  it('keeps its cap of a day over a restart', async () => {
    const [first, second] = [await ready(), await ready()];
    const [sent] = await db<{ micro: number }[]>`
      select sum(amount_micro)::bigint as micro from payouts where kind in ('prize', 'share', 'withdrawal') and sent_at is not null`;
    const cap = { SIGNER_DAILY_CAP_USDC: String((sent!.micro + USDC) / USDC), SIGNER_CAP_USDC: '1' };
    await restartSigner(cap);
    await decide(first);
    await settled(first);
    await restartSigner(cap);
    await decide(second);
    const [waiting] = await until('the refusal', async () => {
      const payouts = await payoutsOf(second);
      return payouts.some(({ note }) => note !== null) && payouts;
    });
    assert.match(waiting!.note ?? '', /^the signer refuses it: SIGNER_DAILY_CAP_USDC is used up/);
    await restartSigner();
    await retry(waiting!.id);
    await assertPrizePaid(second);
  });

  it('that is gone lets payouts wait unclaimed, is told, and pays them when it is back', async () => {
    const one = await ready();
    await signer.kill('SIGKILL');
    await decide(one);
    await until('the alert', async () => (await alerts('ALERT.SIGNER_DOWN')).length > 0);
    assert.deepEqual(
      (await payoutsOf(one)).map(({ state }) => state),
      ['ready'],
    );
    assert.ok(await metric('concours_dependency_up{part="signer"} 0'));
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    signer = await signers.start(env);
    await assertPrizePaid(one);
  });

  it('whose socket every user may use gets no request', async () => {
    const one = await ready();
    await chmod(socket, 0o666);
    await decide(one);
    await until('the metric', () => metric('concours_dependency_up{part="signer"} 0'));
    assert.deepEqual(
      (await payoutsOf(one)).map(({ state }) => state),
      ['ready'],
    );
    await chmod(socket, 0o660);
    await assertPrizePaid(one);
  });

  it('that is killed among the payouts of two workers pays each of them once', async () => {
    const all = [await ready(), await ready(), await ready(), await ready()];
    const other = await ground.start();
    await Promise.all(all.map((one, index) => (index % 2 === 0 ? decide(one) : cancel(one))));
    for (let kills = 0; kills < 3; kills += 1) await restartSigner();
    for (const [index, one] of all.entries()) {
      await settled(one);
      if (index % 2 === 1) await assertGivenBack(one);
      else await assertPrizePaid(one);
    }
    await other.running.kill('SIGKILL');
    const twice = await db`select 1 from payments where state = 'settled' and kind in ('payout', 'refund')
      group by subject_id having count(*) > 1`;
    assert.equal(twice.length, 0);
    await assertBooks({ url, operatorKey });
  });

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
    SIGNER_STATE: join(folder, `tls-${randomBytes(2).toString('hex')}`),
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
