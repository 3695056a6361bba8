import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyWalletChanges } from '../../server/agents/wallets/apply-wallet-changes.ts';
import { call, fund, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import { asPoster, choose, close, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import {
  brief,
  confirm,
  createIntent,
  expectStatus,
  openProject,
  type OpenProject,
  ownProject,
  putPicture,
  registerAgent,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// People who want the money, the work, or the time of others. The clock moves, so the service is this file's own.

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
let verified = 0;
const world = await startWorld({
  env: { WALLET_CHANGE_HOURS: '72', CLOSE_NOTICE_MINUTES: '15', LIMIT_POSTER_PER_MINUTE: '100000' },
  wrap: ({ facilitator }) => ({
    facilitator: {
      ...facilitator,
      async verify(payment) {
        verified += 1;
        return await facilitator.verify(payment);
      },
    },
  }),
});
const { url, service, clock, chain: devnet } = world;
const { chain } = service.deps;
const { enter: intend, richPayer } = entriesOf(world);
const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS);
const present = (entry: Awaited<ReturnType<typeof intend>>, headers: Record<string, string>) =>
  requestUpload(url, { ...entry, headers });
const reaches = (project: OpenProject, status: string) =>
  until(status, async () => (await ownProject(world, project))['status'] === status);
const walletOf = async (key: string) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data.wallet as {
    address: string | null;
    proven: boolean;
    pending: { address: string; effective_at: string } | null;
  };

describe('a thief with the key of an agent', () => {
  /** An agent whose wallet has signed a challenge. */
  async function owner() {
    const [agent, payer] = [await registerAgent(url), newPayer()];
    expectStatus(await linkPayer(url, agent.key, payer), 200);
    return { ...agent, payer };
  }
  const pendingOf = async (key: string, next: Payer) =>
    expectStatus(await linkPayer(url, key, next), 202).body.data.wallet.pending as {
      address: string;
      effective_at: string;
    };
  const cancel = (key: string) => call(url, 'DELETE', '/agents/me/wallet/pending', { key });

  it('redirects no prize: the change waits, and the prize goes to the proven wallet', async () => {
    const project = await openProject(world, { prizeUsdc: 10 });
    const victim = await enter(world, project);
    expectStatus(await linkPayer(url, victim.key, victim.payer), 200);
    const thief = newPayer();
    const { address, effective_at: at } = await pendingOf(victim.key, thief);
    assert.equal(address, thief.address);
    const waitMs = Date.parse(at) - clock.now().getTime();
    assert.ok(waitMs > 72 * HOUR_MS - MINUTE_MS && waitMs <= 72 * HOUR_MS, String(waitMs));
    expectStatus(await close(world, project), 200);
    clock.offsetMs += 15 * MINUTE_MS;
    await reaches(project, 'judging');
    expectStatus(await choose(world, project, victim), 200);
    await reaches(project, 'completed');
    assert.equal(await chain.balanceMicro(thief.address), 0);
    assert.equal(await chain.balanceMicro(victim.payer.address), 750_000 + 9_500_000);
  });

  it('changes nothing if the owner cancels in time, and restarts the wait at each try', async () => {
    const { key, payer } = await owner();
    const thief = newPayer();
    const first = await pendingOf(key, thief);
    clock.offsetMs += HOUR_MS;
    const second = await pendingOf(key, thief);
    assert.ok(second.effective_at > first.effective_at);
    assert.equal(expectStatus(await cancel(key), 200).body.data.wallet.pending, null);
    codeIs(await cancel(key), 404, 'NOT_FOUND');
    clock.offsetMs += 100 * HOUR_MS;
    await applyWalletChanges(service.deps);
    assert.equal((await walletOf(key)).address, payer.address);
  });

  it('gains nothing while the agent is suspended, and its owner can cancel', async () => {
    const { id, key, payer } = await owner();
    const { effective_at: at } = await pendingOf(key, newPayer());
    const suspension = { status: 'suspended', reason: 'A stolen key' };
    const path = `/operator/agents/${id}/status`;
    expectStatus(await call(url, 'PUT', path, { key: world.operatorKey, body: suspension }), 200);
    await clock.at(Date.parse(at), () => applyWalletChanges(service.deps));
    const { address, pending } = await walletOf(key);
    assert.deepEqual([address, pending?.effective_at], [payer.address, at]);
    assert.equal(expectStatus(await cancel(key), 200).body.data.wallet.pending, null);
  });

  it('or an owner who lost the old wallet gets a new one after the wait, unless another agent proved it meanwhile', async () => {
    const [ada, grace] = [await owner(), await owner()];
    const [next, taken] = [newPayer(), newPayer()];
    const { effective_at: at } = await pendingOf(ada.key, next);
    await pendingOf(grace.key, taken);
    expectStatus(await linkPayer(url, (await registerAgent(url)).key, taken), 200);
    await clock.at(Date.parse(at) - 1, () => applyWalletChanges(service.deps));
    assert.equal((await walletOf(ada.key)).address, ada.payer.address);
    clock.offsetMs += 72 * HOUR_MS;
    await until('the change', async () => (await walletOf(ada.key)).address === next.address);
    await until('the end of the other change', async () => (await walletOf(grace.key)).pending === null);
    assert.equal((await walletOf(grace.key)).address, grace.payer.address);
  });
});

describe('an authorization that its payer executed on chain, where everybody can read it', () => {
  const openFor = (days: number) => openProject(world, { deadline: inDays(days) });

  it('is not taken by another agent, if the payer proved its wallet', async () => {
    const { id } = await openFor(1);
    const [owner, thief, payer] = [await intend(id), await intend(id), await richPayer()];
    expectStatus(await linkPayer(url, owner.key, payer), 200);
    const headers = await executeOutside(devnet.rpcUrl, payer, await requestUpload(url, owner));
    codeIs(await present(thief, headers), 402, 'PAYMENT_FAILED', /not known to be yours/);
    expectStatus(await present(owner, headers), 200);
    assert.equal(await chain.balanceMicro(payer.address), 4_750_000);
    assert.equal((await walletOf(thief.key)).address, null);
  });

  it('proves no wallet: the agent that signs with it takes it over', async () => {
    const { id } = await openFor(1);
    const [owner, thief, payer] = [await intend(id), await intend(id), await richPayer()];
    const headers = await executeOutside(devnet.rpcUrl, payer, await requestUpload(url, owner));
    expectStatus(await present(thief, headers), 200);
    const { address, proven } = await walletOf(thief.key);
    assert.deepEqual([address, proven], [payer.address, false]);
    assert.equal(expectStatus(await linkPayer(url, owner.key, payer), 200).body.data.wallet.proven, true);
    assert.equal((await walletOf(thief.key)).address, null);
  });

  it('is not taken for the prize of another poster', async () => {
    const draftOf = async ({ key }: { key: string }) => {
      const body = brief({ deadline: inDays(1) });
      const { id } = expectStatus(await call(url, 'POST', '/posters/me/projects', { key, body }), 201).body.data
        .project;
      return (headers = {}) => call(url, 'POST', `/posters/me/projects/${id}/publish`, { key, headers });
    };
    const [victim, thief] = [await draftOf(await registerPoster(url)), await draftOf(await registerPoster(url))];
    const headers = await executeOutside(devnet.rpcUrl, await richPayer(), await victim());
    codeIs(await thief(headers), 402, 'PAYMENT_FAILED', /ask the operator to return/);
    // A poster who has paid from the wallet before is known.
    const { poster, funder } = await openFor(1);
    const next = await draftOf(poster);
    await fund(url, funder.address, 1);
    expectStatus(await next(await executeOutside(devnet.rpcUrl, funder, await next())), 200);
  });

  it('pays for its entry although it has expired meanwhile', async () => {
    const { id } = await openFor(1);
    const [entry, payer] = [await intend(id), await richPayer()];
    // Facilitators refuse an authorization in its last six seconds as expired.
    const headers = await executeOutside(devnet.rpcUrl, payer, await requestUpload(url, entry), { validSeconds: 5 });
    expectStatus(await present(entry, headers), 200);
    assert.equal(await chain.balanceMicro(payer.address), 4_750_000);
  });
});

describe('a payment that can never be charged', () => {
  it('costs no verification, with an invalid body or by the wallet that funded the project, and stays good', async () => {
    const project = await openProject(world, { deadline: inDays(1) });
    const [entry, other, payer] = [await intend(project.id), await intend(project.id), await richPayer()];
    await fund(url, project.funder.address, 1);
    const headers = await signPayment(payer, await requestUpload(url, entry));
    const funders = await signPayment(project.funder, await requestUpload(url, other));
    const before = verified;
    codeIs(await requestUpload(url, { ...entry, sizeBytes: 0, headers }), 400, 'VALIDATION_ERROR', /fileSize/);
    codeIs(await present(other, funders), 409, 'PROJECT_NOT_ACCEPTING', /funded/);
    assert.equal(verified, before);
    assert.equal(await chain.balanceMicro(payer.address), 5_000_000);
    expectStatus(await present(entry, headers), 200);
  });
});

describe('a poster', () => {
  const patch = (project: OpenProject, deadline: Date) =>
    asPoster(world, project, ['PATCH', '', { auto_select_deadline: deadline.toISOString() }]);

  it('moves the deadline once, by at most 24 hours, after an entry is paid', async () => {
    const project = await openProject(world, { deadline: inDays(1) });
    // Extensions before the first entry do not count.
    expectStatus(await patch(project, inDays(2)), 200);
    await enter(world, project, { until: 'paid' });
    const before = Date.parse(String((await ownProject(world, project))['auto_select_deadline']));
    codeIs(await patch(project, new Date(before + DAY_MS + 1)), 400, 'VALIDATION_ERROR', /24 hours/);
    const { project: moved } = expectStatus(await patch(project, new Date(before + DAY_MS)), 200).body.data;
    assert.equal(moved.latest_deadline, moved.auto_select_deadline);
    codeIs(await patch(project, new Date(before + DAY_MS + 1)), 409, 'PROJECT_STATE_CONFLICT', /extended once/);
  });

  it('tells every agent of at most 20 changes of the terms', async () => {
    const project = await openProject(world, { deadline: inDays(1) });
    const later = (times: number) => patch(project, new Date(inDays(1).getTime() + times * MINUTE_MS));
    for (let times = 1; times <= 20; times += 1) expectStatus(await later(times), 200);
    codeIs(await later(21), 409, 'PROJECT_STATE_CONFLICT', /20 times/);
    expectStatus(await asPoster(world, project, ['POST', '/cancel', { reason: 'Enough' }]), 200);
  });

  it('that closes right after a payment must give the agent its time; no other agent pays any more', async () => {
    const project = await openProject(world, { deadline: inDays(1) });
    await enter(world, project);
    const [victim, late] = [
      await enter(world, project, { until: 'paid' }),
      await enter(world, project, { until: 'paid' }),
    ];
    const waiting = await registerAgent(url);
    const { id: submissionId } = await createIntent(url, waiting.key, project.id);
    const closed = expectStatus(await close(world, project), 200).body.data.project;
    assert.equal(closed.status, 'open');
    clock.offsetMs += MINUTE_MS;
    const again = expectStatus(await close(world, project), 200).body.data.project;
    assert.equal(again.closes_at, closed.closes_at);
    const picture = await testPicture(9);
    const upload = { projectId: project.id, sizeBytes: picture.length };
    const { address, pay } = await richPayer();
    const refused = await requestUpload(url, { ...upload, key: waiting.key, submissionId, fetch: pay });
    codeIs(refused, 409, 'PROJECT_NOT_ACCEPTING', /closes it at/);
    assert.equal(await chain.balanceMicro(address), 5_000_000);
    codeIs(await patch(project, inDays(1.5)), 409, 'PROJECT_STATE_CONFLICT', /closes at/);

    // One gets another upload URL and confirms in the last minute of the notice. The other does not, and is refunded.
    clock.offsetMs += 13 * MINUTE_MS;
    const grant = expectStatus(await requestUpload(url, { ...upload, ...victim }), 200);
    assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
    expectStatus(await confirm(url, victim.key, project.id, victim.submissionId), 200);
    clock.offsetMs += 2 * MINUTE_MS;
    await until('the refund', async () => (await chain.balanceMicro(late.payer.address)) === FUNDS_MICRO);
    await reaches(project, 'judging');
    assert.equal(await chain.balanceMicro(victim.payer.address), FUNDS_MICRO - 250_000);
  });
});
