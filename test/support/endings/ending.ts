import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Chain, ChainTransfer } from '../../../server/chain/types.ts';
import { call } from '../clients/client.ts';
import type { Contestant } from '../clients/contestants.ts';
import { expectStatus, ledger, type OpenProject, registerAgent } from '../clients/journey.ts';
import { until } from '../processes/processes.ts';
import type { TestWorld } from '../worlds/service-world.ts';

/** The outcome of one agent, which entered only this project. */
export type Fate = {
  who: Contestant;
  /** Null: the agent never confirmed, so it has no history. */
  status: 'won' | 'lost' | 'shared' | 'cancelled' | null;
  rank?: number;
  score?: number;
  feedback?: string;
  earningsMicro?: number;
};

/** The state after a project has ended, in numbers that the journey calculated independently. */
export type Ending = {
  project: OpenProject;
  status: 'completed' | 'cancelled';
  selection: 'poster' | 'scores' | 'ai' | 'silence' | 'operator' | 'shared' | null;
  winner: string | null;
  cancelReason?: string;
  /** Total money in, total money out, and the amount that stays. */
  prizeMicro: number;
  feesMicro: number[];
  payoutsMicro: number[];
  refundsMicro: number[];
  platformFeeMicro: number;
  feesKeptMicro: number;
  fates: Fate[];
  /** Final balances on chain. */
  balances: [address: string, micro: number][];
};

/** The sender and the recipient of a transfer. The money view names the party that is not the treasury. */
type Ends = { from: string | undefined; to: string | undefined };

/** The service in which the project ended: a world, or the dependencies that outlive its processes. */
export type Scene = { url: string; operatorKey: string; chain: Chain; treasury: string };

export function sceneOf({ url, operatorKey, service }: TestWorld): Scene {
  return { url, operatorKey, chain: service.deps.chain, treasury: service.deps.payTo };
}

type Line = { amount_micro: number; tx_hash: string; payer?: string; recipient?: string; submission_id?: string };

/** Waits until the project has ended and every payment has settled, then asserts the expected ending. */
export async function assertEnded(scene: Scene, ending: Ending): Promise<void> {
  const { project, status, fates } = ending;
  const own = await until(`${project.id} ${status}`, async () => {
    const shown = await ownProject(scene, project);
    return shown['status'] === status && shown['payout_status'] === 'settled' && shown;
  });
  assert.deepEqual(
    [own['selection'], own['winner_submission_id'], own['cancel_reason']],
    [ending.selection, ending.winner, ending.cancelReason ?? null],
  );
  for (const [address, micro] of ending.balances) assert.equal(await scene.chain.balanceMicro(address), micro, address);
  const payouts = await assertMoney(scene, ending);
  for (const fate of fates) await assertFate(scene, ending, fate, payouts);
  await assertShown(scene, ending);
  await assertBooks(scene);
}

export async function ownProject({ url }: Pick<Scene, 'url'>, { id, poster }: Pick<OpenProject, 'id' | 'poster'>) {
  const answer = await call(url, 'GET', `/posters/me/projects/${id}`, { key: poster.key });
  return expectStatus(answer, 200).body.data.project as Record<string, unknown>;
}

const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0);
const ascending = (amounts: number[]) => amounts.toSorted((a, b) => a - b);

/** Asserts that the public money view adds up and that each line matches one transfer on chain by its hash. */
async function assertMoney({ url, chain, treasury }: Scene, ending: Ending): Promise<Line[]> {
  const { prizeMicro, feesMicro, payoutsMicro, refundsMicro, platformFeeMicro, feesKeptMicro } = ending;
  const { data: money } = expectStatus(await call(url, 'GET', `/projects/${ending.project.id}/money`), 200).body;
  const {
    prize,
    entry_fees: fees,
    payouts,
    refunds,
  } = money as {
    prize: Line;
    entry_fees: { count: number; total_micro: number; payments: Line[] };
    payouts: Line[];
    refunds: Line[];
  };
  const amounts = (lines: Line[]) => ascending(lines.map((line) => line.amount_micro));
  assert.deepEqual(
    [prize.amount_micro, amounts(fees.payments), amounts(payouts), amounts(refunds)],
    [prizeMicro, ascending(feesMicro), ascending(payoutsMicro), ascending(refundsMicro)],
  );
  assert.deepEqual(
    [fees.total_micro, money.paid_out_micro, money.refunded_micro, money.held_micro, money.balanced, money.has_more],
    [sum(feesMicro), sum(payoutsMicro), sum(refundsMicro), 0, true, false],
  );
  assert.deepEqual([money.platform_fee_micro, money.entry_fees_kept_micro], [platformFeeMicro, feesKeptMicro]);
  assert.equal(
    prizeMicro + sum(feesMicro),
    sum(payoutsMicro) + sum(refundsMicro) + platformFeeMicro + feesKeptMicro,
    'this test expects what adds up',
  );
  const transfers = await chain.transfersOf(treasury, 0, await chain.blockNumber());
  for (const line of [prize, ...fees.payments]) requireTransfer(transfers, line, { from: line.payer, to: treasury });
  for (const line of [...payouts, ...refunds]) requireTransfer(transfers, line, { from: treasury, to: line.recipient });
  return payouts;
}

/** Removes the matching transfer from the list, because two lines cannot be one transfer. */
function requireTransfer(transfers: ChainTransfer[], line: Line, { from, to }: Ends): void {
  const index = transfers.findIndex(
    (each) =>
      each.txHash === line.tx_hash && each.amountMicro === line.amount_micro && each.from === from && each.to === to,
  );
  assert.notEqual(index, -1, `no such transfer: ${JSON.stringify(line)}`);
  transfers.splice(index, 1);
}

/** Asserts the history and the profile of an agent. */
async function assertFate({ url }: Scene, ending: Ending, fate: Fate, payouts: Line[]): Promise<void> {
  const { who, status, rank = null, score = null, feedback = null, earningsMicro = 0 } = fate;
  const history = expectStatus(await call(url, 'GET', '/agents/me/history', { key: who.key }), 200).body.data;
  const payout = payouts.find((line) => line.submission_id === who.submissionId);
  const told = history.submissions.map((row: Record<string, unknown>) => [
    row['id'],
    row['status'],
    row['rank'],
    row['score'],
    row['feedback'],
    row['earnings'],
    row['payoutStatus'],
    row['payoutTxHash'],
  ]);
  const paid = earningsMicro > 0 ? ['settled', payout?.tx_hash] : [null, null];
  const expected = [who.submissionId, status, rank, score, feedback, earningsMicro / 1e6, ...paid];
  assert.deepEqual(told, status === null ? [] : [expected]);
  const [confirmed, wins] = [Number(status !== null), Number(status === 'won')];
  // The score in a canceled project does not count.
  const averaged = status === 'cancelled' ? 0 : (score ?? 0);
  const { totalSubmissions, totalWins, totalEarnings, averageScore } = history.summary;
  assert.deepEqual(
    [totalSubmissions, totalWins, totalEarnings, averageScore],
    [confirmed, wins, earningsMicro / 1e6, averaged],
  );
  const profile = expectStatus(await call(url, 'GET', '/agents/me', { key: who.key }), 200).body.data;
  assert.deepEqual(profile.agent.analytics, {
    totalSubmissions: confirmed,
    totalWins: wins,
    winRate: 100 * wins,
    totalEarnings: earningsMicro / 1e6,
    averageScore: averaged,
    totalProjects: 1,
    successStreak: wins,
    longestStreak: wins,
  });
  const balance = ending.balances.find(([address]) => address === profile.wallet.address)?.[1];
  assert.deepEqual([profile.wallet.pendingEarnings, profile.wallet.balance], [0, (balance ?? 0) / 1e6]);
}

/** Asserts the public answers: the detail, the search and, for a completed project, the entries. */
async function assertShown({ url }: Scene, { project, status, winner, fates }: Ending): Promise<void> {
  const { key } = await registerAgent(url);
  const entered = fates.filter((fate) => fate.status !== null);
  const shown = (detail: Record<string, unknown>) => [
    detail['id'],
    detail['status'],
    detail['winner_submission_id'],
    detail['total_submissions'],
    detail['completed_at'] !== null,
  ];
  const expected = [project.id, status, winner, entered.length, status === 'completed'];
  const detail = expectStatus(await call(url, 'GET', `/agents/projects/${project.id}`, { key }), 200).body.data;
  assert.deepEqual(shown(detail.project), expected);
  // Another process can serve its cached answer for 1 s.
  await until('it is found', async () => {
    const found = expectStatus(await call(url, 'GET', `/agents/projects?status=${status}&limit=50`, { key }), 200);
    const { projects } = found.body.data as { projects: Record<string, unknown>[] };
    return isDeepStrictEqual(projects.filter(({ id }) => id === project.id).map(shown), [expected]);
  });
  const gallery = await call(url, 'GET', `/projects/${project.id}/submissions`);
  if (status === 'cancelled') return void expectStatus(gallery, 404);
  const { submissions } = expectStatus(gallery, 200).body.data as { submissions: Record<string, unknown>[] };
  const outcomes = submissions.map((each) => [each['id'], each['outcome'], each['rank'], each['earnings_micro']]);
  assert.deepEqual(
    new Set(outcomes),
    new Set(
      entered.map(({ who, status: told, rank = null, earningsMicro = 0 }) => [
        who.submissionId,
        told,
        rank,
        earningsMicro,
      ]),
    ),
  );
}

/**
 * Asserts that the books balance and match the chain. The treasury holds what the service owes plus the platform's
 * revenue.
 */
export async function assertBooks(scene: Pick<Scene, 'url' | 'operatorKey'>): Promise<void> {
  const { problems, balanced, chain_matches, accounts } = await ledger(scene);
  assert.deepEqual([problems, balanced, chain_matches], [[], true, true]);
  const held = accounts.find(({ account }) => account === 'treasury')?.balance_micro ?? 0;
  const owed = accounts.filter(({ account }) => account !== 'treasury').map((each) => each.balance_micro);
  assert.equal(held - sum(owed), 0, 'the trial balance');
}

/** Shares one clock between several journeys. The clock moves when every journey waits for it or has ended. */
export function sharedTime(clock: TestWorld['clock'], stepMs: number) {
  let going = 0;
  const waiting: (() => void)[] = [];
  const moveWhenAllWait = () => {
    if (waiting.length < going || going === 0) return;
    clock.offsetMs += stepMs;
    for (const goOn of waiting.splice(0)) goOn();
  };
  return {
    join: () => void (going += 1),
    leave() {
      going -= 1;
      moveWhenAllWait();
    },
    passes: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        moveWhenAllWait();
      }),
  };
}
