import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer, type Payer } from '../support/clients/client.ts';
import { close, enter } from '../support/clients/contestants.ts';
import {
  confirm,
  createIntent,
  drawing,
  expectStatus,
  ledger,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { challengeWallet, linkPayer, linkWallet } from '../support/clients/wallets.ts';
import { type Case, killsAroundCommits, type Write } from '../support/processes/kills-around-commits.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// SIGKILL ends the process right before and right after the commit of writes that the rules of a fair market made, other
// than those of holds.test.ts, terms.test.ts, and money.test.ts. Before it, nothing has changed. After it, everything has.

const ground = await prepareWorld({
  env: { CLOSE_NOTICE_MINUTES: '60', WALLET_CHANGE_HOURS: '72', LIMIT_REGISTRATIONS_PER_HOUR: '1000' },
  inspectionTimes: { waitMs: 5_000, leaseMs: 500, resumeAfterMs: 1_000 },
});
const { db, operatorKey } = ground;
const service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };
let seed = 3000;
const picture = () => drawing((seed += 1));

const shown = async (rows: Promise<readonly object[]>): Promise<string> => JSON.stringify(await rows);
const asOperator = (path: string, body: object, method = 'POST') =>
  call(url, method, `/operator/${path}`, { key: operatorKey, body });

async function confirmation(): Promise<Case> {
  const [project, agent, bytes] = [
    await openProject(market, { entryFeeUsdc: 0 }),
    await registerAgent(url),
    await picture(),
  ];
  const { id } = await createIntent(url, agent.key, project.id);
  const request = { key: agent.key, projectId: project.id, submissionId: id, sizeBytes: bytes.length };
  const { uploadUrl } = expectStatus(await requestUpload(url, request), 200).body.data;
  assert.equal(await putPicture(uploadUrl, bytes), 200);
  return {
    send: () => confirm(url, agent.key, project.id, id),
    state: () => shown(db`select confirm_requested_at from media_files where submission_id = ${id}`),
  };
}

async function notice(): Promise<Case> {
  const project = await openProject(market, { entryFeeUsdc: 0.1 });
  await enter(market, project, { picture: await picture() });
  await enter(market, project, { until: 'paid' });
  expectStatus(await close(market, project), 200);
  return {
    send: null,
    due: () => db`
      update projects set closes_at = now() - interval '1 minute', due_at = now() where id = ${project.id}`,
    state: () =>
      shown(db`
        select status, (select count(*) from payouts where project_id = ${project.id}) as refunds
        from projects where id = ${project.id}`),
  };
}

async function proven(): Promise<{ id: string; key: string; payer: Payer }> {
  const [agent, payer] = [await registerAgent(url), newPayer()];
  expectStatus(await linkPayer(url, agent.key, payer), 200);
  return { ...agent, payer };
}

const walletState = (id: string) => () =>
  shown(db`
    select wallet_address, pending_wallet,
      (select count(*) from audit_trail where subject = ${`agent:${id}`} and action like 'agent.%wallet%') as audited
    from agents where id = ${id}`);

async function walletChange(): Promise<Case> {
  const [{ id, key }, next] = [await proven(), newPayer()];
  // A challenge is used up by the write, so each request has its own.
  let message = await challengeWallet(url, key, next.address);
  let isFirst = true;
  return {
    async send() {
      if (!isFirst) message = await challengeWallet(url, key, next.address);
      isFirst = false;
      return await linkWallet(url, key, message, await next.account.signMessage({ message }));
    },
    state: walletState(id),
  };
}

async function walletCancellation(): Promise<Case> {
  const { id, key } = await proven();
  expectStatus(await linkPayer(url, key, newPayer()), 202);
  return { send: () => call(url, 'DELETE', '/agents/me/wallet/pending', { key }), state: walletState(id) };
}

async function restriction(): Promise<Case> {
  const { id } = await registerAgent(url);
  return {
    send: () => asOperator(`agents/${id}/status`, { status: 'limited', reason: 'A crash' }, 'PUT'),
    state: () => shown(db`select status, status_since is null as since from agents where id = ${id}`),
  };
}

async function release(): Promise<Case> {
  const project = await openProject(market, { entryFeeUsdc: 0 });
  await db`
    insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
    select uuidv7(), greatest(now(), max(checked_at) + interval '1 ms'), true, false, '{a test stops payouts}', 1
    from ledger_checks`;
  expectStatus(await asOperator(`projects/${project.id}/cancel`, { reason: 'A crash' }), 200);
  // As if a cap held the refund until the next window.
  await db`
    update payouts set state = 'held', held_until = now() + interval '1 day' where project_id = ${project.id}`;
  return {
    send: () => asOperator('payouts/release', { project_id: project.id, reason: 'Checked' }),
    state: () => shown(db`select released, held_until is null as free from payouts where project_id = ${project.id}`),
  };
}

const writes: Write[] = [
  {
    name: 'the request for a confirmation is recorded',
    sends: 'set confirm_requested_at =',
    prepare: confirmation,
  },
  { name: 'a timer ends the notice of an early end', sends: 'insert into project_transitions', prepare: notice },
  { name: 'an agent asks to change its proven wallet', sends: 'set pending_wallet =', prepare: walletChange },
  { name: 'an agent cancels the change of its wallet', sends: 'set pending_wallet =', prepare: walletCancellation },
  { name: 'the operator restricts an agent', sends: 'insert into audit_trail', prepare: restriction },
  { name: 'the operator releases what a cap holds', sends: 'insert into audit_trail', prepare: release },
];

describe('a crash of the process', () => {
  killsAroundCommits(ground, service, writes);

  it('leaves books that agree with the chain', async () => {
    const { problems, balanced, chain_matches } = await ledger({ url, operatorKey });
    assert.deepEqual([problems, balanced, chain_matches], [[], true, true]);
  });
});
