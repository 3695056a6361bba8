import { createPublicClient, http, parseAbiItem } from 'viem';
import { USDC_ADDRESS } from '../../server/devnet/chain.ts';
import { ledger } from '../support/clients/journey.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { until } from '../support/processes/processes.ts';
import type { Cluster } from './cluster.ts';
import { type Acknowledged, FEE_USDC, PRIZE_USDC } from './load.ts';

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

type Transfer = { from: string; to: string; micro: number };

export type Books = {
  /** Acknowledged steps that the database does not have. */
  lost: string[];
  /** Payers that were charged for more, or at another price, than what they bought. */
  overcharged: string[];
  /** Payouts that did not move exactly once. */
  wrongPayouts: string[];
  /** The findings of the service's own reconciliation and of this comparison of sums. */
  problems: string[];
  transfersIn: number;
  payouts: number;
};

/** Waits until every payment and payout has ended, then compares what was acknowledged, the database, and the chain. */
export async function closeBooks(cluster: Cluster, acknowledged: Acknowledged): Promise<Books> {
  const settled = await until('every payment and payout is settled', () => allSettled(cluster), 90_000).then(
    () => [],
    async (error: Error) => [`${error.message}: ${JSON.stringify(await unsettled(cluster))}`],
  );
  const transfers = await readTransfers(cluster);
  const overcharged = await compareCharges(cluster, transfers);
  const payouts = await comparePayouts(cluster, transfers, acknowledged);
  return {
    lost: await findLost(cluster, acknowledged),
    overcharged,
    wrongPayouts: payouts.wrong,
    problems: [...settled, ...(await reconcile(cluster))],
    transfersIn: transfers.filter(({ to }) => to === cluster.treasury).length,
    payouts: payouts.count,
  };
}

async function allSettled(cluster: Cluster): Promise<boolean> {
  return (await unsettled(cluster)).length === 0;
}

async function unsettled({ db }: Cluster): Promise<object[]> {
  return await db<{ part: string; kind: string; state: string }[]>`
    select 'payment' as part, kind, state from payments where state = 'settling'
    union all select 'payout', kind, state from payouts where state <> 'settled' limit 20`;
}

/** How the database shows each acknowledged step: the ids of the rows that it left, of those in $1. */
const traces: Record<keyof Acknowledged, string> = {
  registered: 'select id from agents where id = any($1)',
  entered: 'select id from submissions where id = any($1)',
  paid: `
    select subject_id as id from payments
    where subject_id = any($1) and kind = 'entry_fee' and state = 'settled' and not late`,
  confirmed: "select id from submissions where id = any($1) and status <> 'pending'",
  published: `
    select p.id from projects p
    join payments m on m.subject_id = p.id and m.kind = 'escrow' and m.state = 'settled' and not m.late
    where p.id = any($1) and p.status <> 'draft'`,
  awarded: "select submission_id as id from payouts where submission_id = any($1) and kind = 'prize'",
};

async function findLost({ db }: Cluster, acknowledged: Acknowledged): Promise<string[]> {
  const lost: string[] = [];
  for (const [step, statement] of Object.entries(traces) as [keyof Acknowledged, string][]) {
    const ids = acknowledged[step].map((one) => (typeof one === 'string' ? one : one.winner));
    const known = new Set((await db.unsafe<{ id: string }[]>(statement, [ids])).map(({ id }) => id));
    lost.push(...ids.filter((id) => !known.has(id)).map((id) => `${step} ${id}`));
  }
  return lost;
}

/** Each payer must have paid the price of each thing it bought once, and nothing else. */
async function compareCharges({ db, treasury }: Cluster, transfers: Transfer[]): Promise<string[]> {
  const bought = await db<{ payer: string; things: number; micro: number }[]>`
    select payer, count(distinct subject_id)::int as things,
      sum(case kind when 'entry_fee' then ${FEE_USDC * 1e6}::int else ${PRIZE_USDC * 1e6}::int end)::int as micro
    from payments where kind in ('entry_fee', 'escrow') and state = 'settled' and not late group by payer`;
  const charged = new Map<string, Transfer[]>();
  for (const transfer of transfers.filter(({ to }) => to === treasury))
    charged.set(transfer.from, [...(charged.get(transfer.from) ?? []), transfer]);
  const wrong = bought.flatMap(({ payer, things, micro }) => {
    const own = charged.get(payer) ?? [];
    charged.delete(payer);
    return own.length === things && total(own) === micro
      ? []
      : [`${payer} bought ${things} for ${micro} and was charged ${own.length} times, ${total(own)}`];
  });
  return [...wrong, ...[...charged.keys()].map((payer) => `${payer} was charged and bought nothing`)];
}

async function comparePayouts(
  { db, treasury }: Cluster,
  transfers: Transfer[],
  { awarded }: Acknowledged,
): Promise<{ count: number; wrong: string[] }> {
  const payouts = await db<{ id: string; recipient: string | null; micro: number; submission: string | null }[]>`
    select id, recipient, amount_micro as micro, submission_id as submission from payouts`;
  const left = transfers.filter(({ from }) => from === treasury);
  const wrong: string[] = [];
  for (const { id, recipient, micro } of payouts) {
    const at = left.findIndex((transfer) => transfer.to === recipient && transfer.micro === micro);
    if (at < 0) wrong.push(`payout ${id} of ${micro} to ${recipient} did not move`);
    else left.splice(at, 1);
  }
  for (const { to, micro } of left) wrong.push(`${micro} to ${to} left the treasury for no payout`);
  for (const { winner } of awarded) {
    const own = payouts.filter(({ submission }) => submission === winner).length;
    if (own !== 1) wrong.push(`the winner ${winner} has ${own} payouts`);
  }
  return { count: payouts.length, wrong };
}

/** Asks the service for its own check, and compares the sum of its books with the balance on chain. */
async function reconcile({ apis, db, chain, treasury, operatorKey }: Cluster): Promise<string[]> {
  const { problems, balanced, chain_matches: matches } = await ledger({ url: apis[0]?.url ?? '', operatorKey });
  // Every journal sums to zero, so the treasury holds what the other accounts have together.
  const [row] = await db<{ micro: number }[]>`
    select sum(case side when 'credit' then balance_micro else -balance_micro end)::bigint as micro
    from ledger_accounts where id <> 'treasury'`;
  const held = await chainAt(chain.rpcUrl).balanceMicro(treasury);
  return [
    ...problems,
    ...(balanced && matches ? [] : [`balanced: ${balanced}, chain_matches: ${matches}`]),
    ...(held === row?.micro ? [] : [`the chain holds ${held}, the books say ${row?.micro}`]),
  ];
}

/** Returns all transfers of the treasury. The faucet mints only to payers. */
async function readTransfers({ chain, treasury }: Cluster): Promise<Transfer[]> {
  const logs = await createPublicClient({ transport: http(chain.rpcUrl) }).getLogs({
    address: USDC_ADDRESS,
    event: TRANSFER,
    fromBlock: 0n,
  });
  return logs
    .map(({ args }) => ({
      from: (args.from ?? '').toLowerCase(),
      to: (args.to ?? '').toLowerCase(),
      micro: Number(args.value),
    }))
    .filter(({ from, to }) => from === treasury || to === treasury);
}

function total(transfers: Transfer[]): number {
  return transfers.reduce((sum, { micro }) => sum + micro, 0);
}
