import assert from 'node:assert/strict';
import { challengeWallet } from '../../server/agents/wallets/challenge-wallet.ts';
import { linkWallet } from '../../server/agents/wallets/link-wallet.ts';
import { checkHourly } from '../../server/reconciliation/check-hourly.ts';
import { checkLedger } from '../../server/reconciliation/check-ledger.ts';
import { retryPayment } from '../../server/payments/retry-payment.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import { retryPayout } from '../../server/payouts/retry-payout.ts';
import { sendPayouts } from '../../server/payouts/send-payouts.ts';
import { flagLikenesses } from '../../server/entries/originality/public.ts';
import { removeLeftoverUploads } from '../../server/entries/remove-leftover-uploads.ts';
import { prove } from './actions-money-in.ts';
import { pick, prefer } from './pick.ts';
import { type Action, callers, perform } from './scene.ts';

export const sweepAction: Action = (scene, how) =>
  perform(scene, how, { label: 'sweep payments', run: ({ deps }) => sweepPayments(deps) });

export const sendAction: Action = (scene, how) =>
  perform(scene, how, {
    label: 'send payouts',
    run: ({ deps }) => sendPayouts(deps, new AbortController().signal),
  });

export const checkAction: Action = (scene, how) =>
  perform(scene, how, {
    label: 'check the ledger',
    run: ({ deps }) => checkLedger(deps),
    // The check must find nothing wrong, whatever work is in flight, because a problem would stop all payouts.
    answered: ({ problems }) => assert.deepEqual(problems, [], 'the check of the ledger'),
  });

export const otherJobsAction: Action = (scene, how) =>
  perform(scene, how, {
    label: 'the rarer jobs',
    async run({ deps }) {
      await checkHourly(deps);
      await removeLeftoverUploads(deps, new AbortController().signal);
      await flagLikenesses(deps);
    },
  });

export const retryPayoutAction: Action = (scene, how) => {
  const payout = prefer(scene.now.payouts, ({ state }) => ['held', 'ready', 'sending'].includes(state), how.a);
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

export const linkAction: Action = (scene, how) => {
  const waiting = new Set(scene.now.payouts.filter(({ state }) => state === 'waiting').map(({ agent_id }) => agent_id));
  const agentId = prefer(scene.agents, (id) => waiting.has(id), how.a);
  const address = pick(scene.wallets, how.b);
  if (agentId === undefined || address === undefined) return undefined;
  prove(scene, agentId, address);
  return perform(scene, how, {
    label: `link ${address} to ${agentId}`,
    async run(on) {
      const agent = callers(scene).agent(on, agentId);
      const { message } = await challengeWallet(agent, { body: { address } });
      const signature = scene.world.model.signMessage(address, message);
      await linkWallet(agent, { body: { message, signature } });
    },
  });
};
