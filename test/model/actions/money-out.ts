import assert from 'node:assert/strict';
import { challengeWallet, linkWallet } from '../../../server/agents/wallets/link-wallet.ts';
import { applyWalletChanges } from '../../../server/agents/wallets/apply-wallet-changes.ts';
import { cancelWalletChange } from '../../../server/agents/wallets/cancel-wallet-change.ts';
import { checkHourly } from '../../../server/reconciliation/check-hourly.ts';
import { checkLedger } from '../../../server/reconciliation/check-ledger.ts';
import { retryPayment } from '../../../server/payments/retry-payment.ts';
import { sweepPayments } from '../../../server/payments/sweep.ts';
import { retryPayout } from '../../../server/payouts/retry-payout.ts';
import { payUnclaimed } from '../../../server/payouts/pay-unclaimed.ts';
import { lapseAward } from '../../../server/judging/public.ts';
import { returnStray } from '../../../server/payouts/strays.ts';
import { sendPayouts } from '../../../server/payouts/send-payouts.ts';
import { resumeInspections } from '../../../server/entries/confirmation/resume-inspections.ts';
import { removeLeftoverUploads } from '../../../server/entries/remove-leftover-uploads.ts';
import { prove } from './money-in.ts';
import { pick, prefer } from '../pick.ts';
import { type Action, callers, perform } from '../scene.ts';

export const sweepAction: Action = (scene, how) =>
  perform(scene, how, { label: 'sweep payments', run: ({ deps }) => sweepPayments(deps) });

export const sendAction: Action = (scene, how) =>
  perform(scene, how, {
    label: 'send payouts',
    run: ({ deps }) => sendPayouts(deps, new AbortController().signal),
  });

/** Awards that nobody claimed in time go to the payer of the fee, or lapse. */
export const claimsAction: Action = (scene, how) =>
  perform(scene, how, {
    label: 'settle unclaimed awards',
    run: ({ deps }) => payUnclaimed(deps, new AbortController().signal, (id) => lapseAward(deps, id)),
  });

export const checkAction: Action = (scene, how) =>
  perform(scene, how, {
    label: 'check the ledger',
    run: ({ deps }) => checkLedger(deps, { rereadMs: 0 }),
    // The check must find nothing wrong, whatever work is in flight, because a problem would stop all payouts.
    answered: ({ problems }) => assert.deepEqual(problems, [], 'the check of the ledger'),
  });

export const otherJobsAction: Action = (scene, how) =>
  perform(scene, how, {
    label: 'the rarer jobs',
    async run({ deps }) {
      // Without a pause of the real clock, which could end in a later step, or in the next story.
      await checkHourly(deps, { rereadMs: 0 });
      await applyWalletChanges(deps);
      await resumeInspections(deps);
      await removeLeftoverUploads(deps, new AbortController().signal);
    },
  });

export const retryPayoutAction: Action = (scene, how) => {
  const payout = prefer(
    scene.now.payouts,
    ({ state }) => ['held', 'ready', 'credited', 'sending'].includes(state),
    how.a,
  );
  if (!payout) return undefined;
  const input = { params: { payout_id: payout.id }, body: { reason: 'Looked at' } };
  return perform(scene, how, {
    label: `retry payout ${payout.reference}`,
    run: (on) => retryPayout(callers(scene).operator(on), input),
  });
};

export const retryPaymentAction: Action = (scene, how) => {
  const payment = prefer(scene.now.payments, ({ state }) => state === 'settling', how.a);
  if (!payment) return undefined;
  const input = { params: { payment_id: payment.id }, body: { reason: 'Looked at' } };
  return perform(scene, how, {
    label: `retry payment ${payment.kind} ${payment.auth_nonce}`,
    run: (on) => retryPayment(callers(scene).operator(on), input),
  });
};

/** Links a wallet. In half of the steps, the proven wallet that it replaces signs too. */
export const linkAction: Action = (scene, how) => {
  const waiting = new Set(scene.now.payouts.filter(({ state }) => state === 'waiting').map(({ agent_id }) => agent_id));
  const agentId = prefer(scene.agents, (id) => waiting.has(id), how.a);
  const address = pick(scene.wallets, how.b);
  if (agentId === undefined || address === undefined) return undefined;
  prove(scene, agentId, address);
  const known = scene.now.agents.find(({ id }) => id === agentId);
  const current = known?.wallet_proven ? known.wallet_address : null;
  return perform(scene, how, {
    label: `link ${address} to ${agentId}`,
    async run(on) {
      const agent = callers(scene).agent(on, agentId);
      const { message } = await challengeWallet(agent, { body: { address } });
      const { model } = scene.world;
      const signature = model.signMessage(address, message);
      const isSigned = current !== null && how.c % 2 === 0;
      if (isSigned) scene.consents.add(`${agentId} ${current} ${address}`);
      const old = isSigned ? { current_signature: model.signMessage(current, message) } : {};
      await linkWallet(agent, { body: { message, signature, ...old } });
    },
  });
};

export const cancelLinkAction: Action = (scene, how) => {
  const agent = prefer(scene.now.agents, ({ pending_wallet }) => pending_wallet !== null, how.a);
  if (!agent) return undefined;
  return perform(scene, how, {
    label: `${agent.id} cancels its new wallet`,
    run: (on) => cancelWalletChange(callers(scene).agent(on, agent.id), {}),
  });
};

/** Gives a stray back, or tries to give back one that a payment has claimed or that went back before. */
export const returnStrayAction: Action = (scene, how) => {
  const stray = prefer(scene.now.strays, ({ payment_id, returned_at }) => payment_id === null && !returned_at, how.a);
  if (!stray) return undefined;
  const input = { params: { stray_id: stray.id }, body: { reason: 'Not ours' } };
  return perform(scene, how, {
    label: `return the stray ${stray.tx_hash}:${stray.log_index}`,
    run: (on) => returnStray(callers(scene).operator(on), input),
  });
};
