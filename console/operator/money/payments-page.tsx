import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Badge, CopyText, Money, RelativeTime, type Tone, TransactionHash } from '../../components/values/public.ts';
import { usdc } from '../../format/public.ts';
import { operator, operatorDesk, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { operatorStore, PartyLinks } from '../area/public.ts';
import { type Filter, MONEY_FILTERS, optionsOf } from '../lists/public.ts';
import { MoneyPage } from './money-page.tsx';
import classes from './money.module.css';

type Payment = ApiData<'GET /operator/payments'>['payments'][number];

const text = operator.payments;
const FILTERS: Filter[] = [
  { name: 'state', label: text.state, options: optionsOf(text.states) },
  { name: 'kind', label: text.kind, options: optionsOf(text.kinds) },
  { name: 'agent_id', label: operatorDesk.filters.agent, linked: operatorDesk.filters.oneAgent },
  { name: 'poster_id', label: operatorDesk.filters.poster, linked: operatorDesk.filters.onePoster },
  ...MONEY_FILTERS,
];
const TONES: Record<Payment['state'], Tone> = { settling: 'warn', settled: 'good', failed: 'quiet' };

/** Payments with an unknown outcome come first, because only those can be retried. */
export function PaymentsPage() {
  return (
    <MoneyPage
      text={text}
      route="GET /operator/payments"
      first="settling"
      filters={FILTERS}
      rowsOf={({ payments }) => payments}
      columnsOf={(ask) => columnsOf((payment) => ask(retryAction(payment)))}
    />
  );
}

function retryAction({ id }: Payment): Action {
  return {
    title: text.retryTitle,
    text: text.retryText,
    confirm: text.retry,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/payments/{payment_id}/retry';
      return (await operatorStore.api.call(path, { params: { payment_id: id }, body: { reason } })).message;
    },
  };
}

function isIncoming(kind: Payment['kind']): boolean {
  return kind === 'entry_fee' || kind === 'escrow';
}

function Wallet({ address, isTreasury }: { address: string; isTreasury: boolean }) {
  if (isTreasury) return <span title={address}>{text.treasury}</span>;
  return <CopyText value={address} what={text.wallet} />;
}

function columnsOf(onRetry: (payment: Payment) => void): Column<Payment>[] {
  const { columns } = text;
  return [
    { key: 'kind', label: columns.kind, cell: ({ kind }) => <span className={classes.kind}>{text.kinds[kind]}</span> },
    {
      key: 'state',
      label: columns.state,
      cell: ({ state, late, error }) => (
        <span className={classes.state}>
          <Badge tone={TONES[state]}>{text.states[state]}</Badge>
          {late ? <Badge tone="warn">{text.late}</Badge> : null}
          {error ? <span className={classes.note}>{error}</span> : null}
        </span>
      ),
    },
    { key: 'amount', label: columns.amount, numeric: true, cell: (row) => <Money micro={row.amount_micro} /> },
    { key: 'parties', label: operatorDesk.parties.project, cell: ({ parties }) => <PartyLinks of={parties} /> },
    { key: 'created', label: columns.created, cell: (row) => <RelativeTime at={row.created_at} /> },
    {
      key: 'from',
      label: columns.from,
      cell: ({ kind, payer }) => <Wallet address={payer} isTreasury={!isIncoming(kind)} />,
    },
    {
      key: 'to',
      label: columns.to,
      cell: ({ kind, pay_to: to }) => <Wallet address={to} isTreasury={isIncoming(kind)} />,
    },
    {
      key: 'transaction',
      label: columns.transaction,
      cell: ({ tx_hash: hash }) => (hash === null ? '–' : <TransactionHash hash={hash} />),
    },
    {
      key: 'retry',
      label: columns.action,
      acts: true,
      cell: (payment) =>
        payment.state === 'settled' ? null : (
          <Button
            variant="default"
            size="xs"
            onClick={() => onRetry(payment)}
            aria-label={text.retryOf({
              kind: text.kinds[payment.kind].toLowerCase(),
              amount: usdc(payment.amount_micro),
            })}
          >
            {text.retry}
          </Button>
        ),
    },
  ];
}
