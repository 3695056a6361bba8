import { setTimeout as sleep } from 'node:timers/promises';
import { USDC_ADDRESS } from '../../server/devnet/chain.ts';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import { call, type Payer } from '../../test/support/clients/client.ts';
import type { BenchWorld } from '../bench-world.ts';
import { entriesOf, FEE_USDC, projectOf, rush } from './agents.ts';

/**
 * `new`: deposits of a few minutes ago, whose refunds use no room in the daily cap. `old`: deposits of more than a day
 * ago, as of most projects. Their refunds use room, as prizes and shares do.
 */
export const DEPOSITS = ['new', 'old'] as const;
export type Deposits = (typeof DEPOSITS)[number];

export type PayoutsOptions = {
  deposits: Deposits;
  payers: Payer[];
  operatorKey: string;
  /** Makes the chain far or near. */
  setChain: (to: 'far' | 'near') => Promise<void>;
  /** Counts the calls to the node from now on, or returns their number. */
  calls: { reset(): Promise<void>; read(): Promise<number> };
};

const FEE_MICRO = FEE_USDC * 1_000_000;
const LONGEST_S = 180;

/** The operator cancels a project with a paid entry of each payer: every fee goes back, and the prize. */
export async function payOut(world: BenchWorld, options: PayoutsOptions): Promise<string> {
  const { deposits, payers, operatorKey, setChain, calls } = options;
  await setChain('near');
  const project = await projectOf(world, payers.length);
  await enterAll(world, project, payers);
  if (deposits === 'old') await moveDepositsBack(world, project);
  const before = await balancesOf(world, payers);
  await setChain('far');
  const startedAt = performance.now();
  const path = `/operator/projects/${project.id}/cancel`;
  const answer = await call(world.service.url, 'POST', path, { key: operatorKey, body: { reason: 'A benchmark' } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await calls.reset();
  const { owed, transactions } = await untilPaid(world, project.id, payers.length, startedAt);
  const seconds = (performance.now() - startedAt) / 1000;
  const total = await calls.read();
  await setChain('near');
  const after = await balancesOf(world, payers);
  const wrong = payers.filter((_, index) => after[index] !== (before[index] ?? 0) + FEE_MICRO);
  if (wrong.length > 0) throw new Error(`${wrong.length} wallets did not get their fee back exactly once`);
  const age = deposits === 'old' ? 'a day' : 'minutes';
  return `${owed} refunds of a canceled project, of deposits that are ${age} old: all booked after ${seconds.toFixed(1)} s, in ${transactions} transactions, with ${(total / owed).toFixed(1)} calls to the node each. On chain, every wallet has its fee back once.`;
}

type Project = Awaited<ReturnType<typeof projectOf>>;

/** In groups: this is not what is measured. */
async function enterAll(world: BenchWorld, project: Project, payers: Payer[]): Promise<void> {
  const entry = entriesOf(world, project);
  for (let first = 0; first < payers.length; first += 50)
    await rush(world, payers.slice(first, first + 50), (index) => entry(first + index));
  for (let tries = 1; ; tries += 1) {
    const [row] = await world.db<[{ settled: number }]>`
      select count(*)::int as settled from payments where subject_id = any(${project.submissions}) and state = 'settled'`;
    if (row.settled === payers.length) return;
    if (tries === 240) throw new Error(`only ${row.settled} of ${payers.length} entries were paid`);
    await sleep(500);
  }
}

async function moveDepositsBack({ db }: BenchWorld, { id, submissions }: Project): Promise<void> {
  await db.begin(async (tx) => {
    await tx`alter table payments disable trigger payment_settled_is_final`;
    await tx`
      update payments set settled_at = settled_at - interval '25 hours'
      where subject_id = any(${[id, ...submissions]}) and state = 'settled'`;
    await tx`set constraints all immediate`;
    await tx`alter table payments enable trigger payment_settled_is_final`;
  });
}

async function untilPaid({ db }: BenchWorld, projectId: string, entries: number, startedAt: number) {
  for (;;) {
    const [row] = await db<[{ owed: number; settled: number; transactions: number }]>`
      select count(*)::int as owed, count(*) filter (where state = 'settled')::int as settled,
        count(distinct tx_hash)::int as transactions
      from payouts where project_id = ${projectId}`;
    if (row.owed > entries && row.settled === row.owed) return row;
    if (performance.now() - startedAt > LONGEST_S * 1000)
      throw new Error(`only ${row.settled} of ${row.owed} payouts were settled`);
    await sleep(100);
  }
}

/** The USDC of the payers on chain, in microdollars. */
async function balancesOf({ chain }: BenchWorld, payers: Payer[]): Promise<number[]> {
  const rpc = rpcClient(chain.rpcUrl);
  const balances: number[] = [];
  for (const { address } of payers) {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`;
    balances.push(Number(await rpc('eth_call', [{ to: USDC_ADDRESS, data }, 'latest'])));
  }
  return balances;
}
