import type { ReactNode } from 'react';
import { type ApiData, explorerOf, networkName, useNetwork } from '../api/public.ts';
import {
  type Column,
  MoreButton,
  DataTable,
  NoData,
  Panel,
  PanelFacts,
  Money,
  address,
  column,
  money,
  transaction,
} from '../components/public.ts';
import { timeOf } from '../format/public.ts';
import { market } from '../messages/public.ts';
import { useMoney } from './project-money.ts';
import classes from './project-page.module.css';

const text = market.project.money;

type Money = ApiData<'GET /projects/{project_id}/money'>;
type Transfer = {
  key: string;
  what: string;
  amountMicro: number;
  wallet: string | null;
  state: keyof typeof text.states;
  txHash: string | null;
  at: string | null;
};

/** The sums of a project, which balance. Every transfer with its hash opens below them. */
export function MoneyView({ project }: { project: Parameters<typeof useMoney>[0] }) {
  const query = useMoney(project);
  const [first] = query.data?.pages ?? [];
  const network = useNetwork();
  return (
    <section className="stack" aria-labelledby="money">
      <h2 id="money">{market.project.tabs.money}</h2>
      {first && query.data ? (
        <>
          <Sums of={first} />
          <details className={classes.details}>
            <summary>{text.transfers}</summary>
            {network ? (
              <p className="soft">
                {text.onChain({ network: networkName(network), canLookUp: String(explorerOf(network) !== null) })}
              </p>
            ) : null}
            <DataTable
              caption={text.transfers}
              rows={query.data.pages.flatMap(transfersOf)}
              rowKey={({ key }) => key}
              columns={columns}
            />
            <MoreButton of={query} />
          </details>
        </>
      ) : (
        <NoData of={query} height={200} />
      )}
    </section>
  );
}

function Sums({ of }: { of: Money }) {
  const incoming = [
    [text.prize, of.prize?.amount_micro ?? 0],
    [text.fees({ amount: of.entry_fees.count }), of.entry_fees.total_micro],
  ] as const;
  const outgoing = [
    [text.paidOut, of.paid_out_micro],
    [text.refunded, of.refunded_micro],
    [text.platform, of.platform_fee_micro],
    [text.feesKept, of.entry_fees_kept_micro],
    [text.held, of.held_micro],
  ] as const;
  return (
    <>
      <div className="fit">
        <Panel id="money-in" title={text.moneyIn} heading="h3">
          <PanelFacts facts={incoming.filter(([, micro]) => micro > 0).map(inMoney)} />
        </Panel>
        <Panel id="money-out" title={text.moneyOut} heading="h3">
          <PanelFacts facts={outgoing.filter(([, micro]) => micro > 0).map(inMoney)} />
        </Panel>
      </div>
      {of.balanced ? null : <p role="alert">{text.notBalanced}</p>}
    </>
  );
}

function inMoney([label, micro]: readonly [string, number]): [string, ReactNode] {
  return [label, <Money key={label} micro={micro} />];
}

function transfersOf(of: Money, page: number): Transfer[] {
  const { prize, entry_fees: fees, payouts, refunds } = of;
  const paid = (what: string, one: Money['entry_fees']['payments'][number], key: string): Transfer => ({
    key,
    what,
    amountMicro: one.amount_micro,
    wallet: one.payer,
    state: 'settled',
    txHash: one.tx_hash,
    at: one.settled_at,
  });
  const owed = (what: string, one: Money['payouts'][number] | Money['refunds'][number], key: string): Transfer => ({
    key,
    what,
    amountMicro: one.amount_micro,
    wallet: one.recipient,
    state: one.status,
    txHash: one.tx_hash,
    at: one.settled_at,
  });
  return [
    // Every page contains the prize, so show it for the first page only.
    ...(page === 0 && prize ? [paid(text.kinds.escrow, prize, 'escrow')] : []),
    ...fees.payments.map((fee, index) => paid(text.kinds.entry_fee, fee, `fee-${page}-${index}`)),
    ...payouts.map((payout, index) => owed(text.kinds[payout.kind], payout, `payout-${page}-${index}`)),
    ...refunds.map((refund, index) => owed(text.kinds.refund, refund, `refund-${page}-${index}`)),
  ];
}

function State({ state, at }: Pick<Transfer, 'state' | 'at'>) {
  return (
    <span className={classes.what}>
      {text.states[state]}
      {at ? <span className={classes.when}>{timeOf(at)}</span> : null}
    </span>
  );
}

const columns: Column<Transfer>[] = [
  column(text.what, ({ what }) => <span className={classes.what}>{what}</span>),
  money(text.amount, ({ amountMicro }) => amountMicro),
  column(text.state, ({ state, at }) => <State state={state} at={at} />),
  transaction(text.transaction, ({ txHash }) => txHash),
  address(text.wallet, text.address, ({ wallet }) => wallet),
];
