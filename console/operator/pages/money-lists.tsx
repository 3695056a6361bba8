import { type Tone, address, column, money, state, time, transaction } from '../../components/public.ts';
import { capitalize, shortHash, timeOf, usdc } from '../../format/public.ts';
import { operator, operatorDesk, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { parties } from '../area/links.tsx';
import { operatorStore } from '../area/operator-store.ts';
import { AMOUNTS, OF_MONEY } from '../lists/filters.tsx';
import type { DeskListOf, RowAction, RowOf } from '../lists/desk-list.tsx';

type Payment = RowOf<'GET /operator/payments'>;
type Payout = RowOf<'GET /operator/payouts'>;
type Stray = RowOf<'GET /operator/strays'>;

const { payments: paymentText, payouts: payoutText, strays: strayText } = operator;
const { bulk, revenue: revenueText } = operatorDesk;

const isIncoming = ({ kind }: Payment) => kind === 'entry_fee' || kind === 'escrow';

export const payments: DeskListOf<'GET /operator/payments'> = {
  route: 'GET /operator/payments',
  text: paymentText,
  filters: [
    { name: 'state', label: paymentText.state, names: paymentText.states },
    { name: 'kind', label: paymentText.kind, names: paymentText.kinds },
    ...OF_MONEY,
  ],
  rowKey: ({ id }) => id,
  columns: [
    column(paymentText.columns.kind, ({ kind }) => paymentText.kinds[kind]),
    state(paymentText.columns.state, {
      names: paymentText.states,
      tones: { settling: 'warn', settled: 'good', failed: 'quiet' },
      of: (payment: Payment) => payment.state,
      more: ({ late, error }) => (late ? [paymentText.late, error].filter(Boolean).join(': ') : error),
    }),
    money(paymentText.columns.amount, (row) => row.amount_micro),
    parties(),
    time(paymentText.columns.created, (row) => row.created_at),
    address(operatorDesk.other, paymentText.wallet, (row) => (isIncoming(row) ? row.payer : row.pay_to)),
    transaction(paymentText.columns.transaction, (row) => row.tx_hash),
  ],
  actions: [
    {
      label: paymentText.retry,
      of: ({ kind, amount_micro: micro }) =>
        paymentText.retryOf({ kind: paymentText.kinds[kind].toLowerCase(), amount: usdc(micro) }),
      isFor: (row) => row.state !== 'settled',
      act: ({ id }) => ({
        title: paymentText.retryTitle,
        text: paymentText.retryText,
        confirm: paymentText.retry,
        reason: signedIn.reason,
        run: async (reason) => {
          const path = 'POST /operator/payments/{payment_id}/retry';
          return (await operatorStore.api.call(path, { params: { payment_id: id }, body: { reason } })).message;
        },
      }),
    },
  ],
};

const PAYOUT_TONES: Record<Payout['state'], Tone> = {
  waiting: 'warn',
  held: 'warn',
  ready: 'quiet',
  refused: 'bad',
  credited: 'quiet',
  sending: 'warn',
  settled: 'good',
};

function retry({ id }: Payout, dialog: Pick<Action, 'title' | 'text' | 'confirm'>): Action {
  return {
    ...dialog,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/payouts/{payout_id}/retry';
      return (await operatorStore.api.call(path, { params: { payout_id: id }, body: { reason } })).message;
    },
  };
}

function payoutName({ amount_micro: micro, kind, parties: of, recipient }: Payout): string {
  const names = [
    payoutText.kinds[kind],
    of.project?.name,
    of.agent?.name,
    recipient === null ? null : shortHash(recipient),
  ];
  return [`${usdc(micro)} USDC`, ...names.filter((name) => typeof name === 'string')].join(' · ');
}

const release: RowAction<Payout> = {
  label: payoutText.release,
  of: (row) => payoutText.releaseOf({ amount: usdc(row.amount_micro) }),
  isFor: (row) => row.state === 'held',
  act: (row) =>
    retry(row, {
      title: payoutText.releaseTitle({ amount: usdc(row.amount_micro) }),
      text: payoutText.releaseText({ payout: payoutName(row) }),
      confirm: payoutText.release,
    }),
  bulk: {
    label: bulk.release,
    title: bulk.releaseTitle,
    text: bulk.releaseText,
    nameOf: payoutName,
    microOf: (row) => row.amount_micro,
  },
};

const send: RowAction<Payout> = {
  label: payoutText.send,
  of: (row) => payoutText.sendOf({ amount: usdc(row.amount_micro) }),
  isFor: (row) => row.state === 'credited',
  act: (row) =>
    retry(row, {
      title: payoutText.sendTitle({ amount: usdc(row.amount_micro) }),
      text: payoutText.sendText,
      confirm: payoutText.send,
    }),
};

const retryNow: RowAction<Payout> = {
  label: payoutText.retry,
  of: (row) => payoutText.retryOf({ amount: usdc(row.amount_micro) }),
  // Payouts that wait for a wallet have no act, and settled ones need none.
  isFor: (row) => ['ready', 'refused', 'sending'].includes(row.state),
  act: (row) => retry(row, { title: payoutText.retryTitle, text: payoutText.retryText, confirm: payoutText.retry }),
};

export const payouts: DeskListOf<'GET /operator/payouts'> = {
  route: 'GET /operator/payouts',
  text: payoutText,
  filters: [{ name: 'state', label: payoutText.state, names: payoutText.states }, ...OF_MONEY],
  rowKey: ({ id }) => id,
  columns: [
    column(payoutText.columns.kind, ({ kind }) => payoutText.kinds[kind]),
    state(payoutText.columns.state, {
      names: payoutText.states,
      tones: PAYOUT_TONES,
      of: (payout: Payout) => payout.state,
      more: ({ state: of, held_until: until, note: why }) =>
        of === 'held' && until !== null
          ? payoutText.resumes({ at: timeOf(until) })
          : of === 'credited'
            ? payoutText.credited
            : why === null
              ? null
              : capitalize(why),
    }),
    money(payoutText.columns.amount, (row) => row.amount_micro),
    parties(),
    time(payoutText.columns.created, (row) => row.created_at),
    address(payoutText.columns.to, paymentText.wallet, (row) => row.recipient),
    transaction(payoutText.columns.transaction, (row) => row.tx_hash),
  ],
  actions: [release, send, retryNow],
};

function strayName({ amount_micro: micro, parties: of, sender }: Stray): string {
  const names = [(of.agent ?? of.poster)?.name, sender === null ? null : shortHash(sender)];
  return [`${usdc(micro)} USDC`, ...names.filter((name) => typeof name === 'string')].join(' · ');
}

export const strays: DeskListOf<'GET /operator/strays'> = {
  route: 'GET /operator/strays',
  text: strayText,
  filters: [{ name: 'state', label: strayText.state, names: strayText.states }, ...AMOUNTS],
  rowKey: ({ id }) => id,
  columns: [
    time(strayText.columns.recorded, (row) => row.recorded_at),
    state(strayText.columns.state, {
      names: strayText.states,
      tones: { unclaimed: 'warn', claimed: 'quiet', returned: 'good' },
      of: (stray: Stray) => stray.state,
    }),
    money(strayText.columns.amount, (row) => row.amount_micro),
    parties(),
    address(strayText.columns.sender, strayText.sender, (row) => row.sender),
    transaction(strayText.columns.transaction, (row) => row.tx_hash),
    transaction(strayText.columns.returned, (row) => row.payout?.tx_hash ?? null),
  ],
  actions: [
    {
      label: strayText.return,
      of: (row) => strayText.returnOf({ amount: usdc(row.amount_micro) }),
      isFor: (row) => row.state === 'unclaimed' && row.sender !== null,
      act: ({ id, amount_micro: micro, sender }) => ({
        title: strayText.returnTitle({ amount: usdc(micro) }),
        text: strayText.returnText({ to: sender ?? '' }),
        confirm: strayText.return,
        destructive: true,
        reason: signedIn.reason,
        run: async (reason) => {
          const path = 'POST /operator/strays/{stray_id}/return';
          return (await operatorStore.api.call(path, { params: { stray_id: id }, body: { reason } })).message;
        },
      }),
      bulk: {
        label: bulk.return,
        title: bulk.returnTitle,
        text: bulk.returnText,
        nameOf: strayName,
        microOf: (row) => row.amount_micro,
      },
    },
  ],
};

export const revenue: DeskListOf<'GET /operator/revenue'> = {
  route: 'GET /operator/revenue',
  text: revenueText,
  filters: [{ name: 'state', label: revenueText.kind, names: revenueText.kinds }, ...AMOUNTS],
  rowKey: ({ id }) => id,
  columns: [
    column(revenueText.kind, ({ kind }) => revenueText.kinds[kind]),
    money(paymentText.columns.amount, (row) => row.amount_micro),
    parties(),
    time(revenueText.at, (row) => row.created_at),
  ],
};
