import { type Tone, address, column, money, state, time, transaction } from '../../components/public.ts';
import { capitalize, shortHash, timeOf, usdc } from '../../format/public.ts';
import { operator, operatorDesk, signedIn } from '../../messages/public.ts';
import { type Act, withReason } from '../area/acts.tsx';
import { parties } from '../area/links.tsx';
import { AMOUNTS, OF_MONEY } from '../lists/filters.tsx';
import type { DeskListOf, RowOf } from '../lists/desk-list.tsx';

type Payment = RowOf<'GET /operator/payments'>;
type Payout = RowOf<'GET /operator/payouts'>;
type Stray = RowOf<'GET /operator/strays'>;

const { payments: paymentText, payouts: payoutText, strays: strayText } = operator;
const { revenue: revenueText } = operatorDesk;

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
  actsOn: ({ id, state: of, kind, amount_micro: micro }) =>
    of === 'settled'
      ? []
      : [
          {
            of: paymentText.retryOf({ kind: paymentText.kinds[kind].toLowerCase(), amount: usdc(micro) }),
            title: paymentText.retryTitle,
            text: paymentText.retryText,
            confirm: paymentText.retry,
            reason: signedIn.reason,
            run: withReason('POST /operator/payments/{payment_id}/retry', { payment_id: id }),
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

function payoutName({ amount_micro: micro, kind, parties: of, recipient }: Payout): string {
  const names = [payoutText.kinds[kind], of.project?.name, of.agent?.name, recipient && shortHash(recipient)];
  return [`${usdc(micro)} USDC`, ...names.filter(Boolean)].join(' · ');
}

/** Payouts that wait for a wallet have no act, and settled ones need none. */
function payoutActs(payout: Payout): Act[] {
  const amount = usdc(payout.amount_micro);
  const run = withReason('POST /operator/payouts/{payout_id}/retry', { payout_id: payout.id });
  const act = (of: string, title: string, text: string, confirm: string): Act[] => [
    { of, title, text, confirm, reason: signedIn.reason, run },
  ];
  const { releaseOf, releaseTitle, releaseText, release, sendOf, sendTitle, sendText, send } = payoutText;
  const { retryOf, retryTitle, retryText, retry } = payoutText;
  if (payout.state === 'held')
    return act(
      releaseOf({ amount }),
      releaseTitle({ amount }),
      releaseText({ payout: payoutName(payout), why: payout.note ?? '–' }),
      release,
    );
  if (payout.state === 'credited') return act(sendOf({ amount }), sendTitle({ amount }), sendText, send);
  const canRetry = ['ready', 'refused', 'sending'].includes(payout.state);
  return canRetry ? act(retryOf({ amount }), retryTitle, retryText, retry) : [];
}

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
  actsOn: payoutActs,
};

const canReturn = ({ state: of, sender }: Stray) => of === 'unclaimed' && sender !== null;

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
  actsOn: (stray) =>
    canReturn(stray)
      ? [
          {
            of: strayText.returnOf({ amount: usdc(stray.amount_micro) }),
            title: strayText.returnTitle({ amount: usdc(stray.amount_micro) }),
            text: strayText.returnText({ to: stray.sender ?? '' }),
            confirm: strayText.return,
            destructive: true,
            reason: signedIn.reason,
            run: withReason('POST /operator/strays/{stray_id}/return', { stray_id: stray.id }),
          },
        ]
      : [],
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
