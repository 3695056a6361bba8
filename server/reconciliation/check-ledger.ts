import type { Deps, Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { alertOperator } from '../events/public.ts';
import { STRAY, TREASURY, UNEXPLAINED, checkJournals, insertCheck, newestCheck } from '../ledger/public.ts';
import type { ChainTransfer } from '../chain/types.ts';
import type { Matched } from './match-transfers.ts';
import {
  journalsOfUnsettled,
  recordScan,
  scanStart,
  settledAfter,
  settledWithoutJournal,
  subjectsPaidTwice,
  type ScannedTreasury,
  type Undecided,
  wasChecked,
} from './queries.ts';
import { type ChainReading, compareWithChain, confirmedComparison, sumOf } from './compare-with-chain.ts';
import {
  relocatePayments,
  takeBackVanished,
  recordStrays,
  unclaimedStrays,
  unexplainedTransfers,
} from '../payments/public.ts';
import type { Tx } from '../db/database.ts';
import { readRange, scanAhead } from './scan-ahead.ts';
import { checkObligations, type Obligations } from './check-obligations.ts';
import type { operatorOperations } from '../../contract/operator/operator.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { OperatorCaller } from '../callers.ts';

export type LedgerReport = {
  /** Whether the ledger's own invariants hold. */
  balanced: boolean;
  /** Whether the treasury's USDC at `block` and each of its transfers match the ledger. */
  chainMatches: boolean;
  problems: string[];
  /** The accounts with a balance. */
  accounts: { account: string; balanceMicro: number }[];
  /** Payments with an unknown outcome. Their transfers are no mismatch. */
  unknownPayments: Undecided[];
  /** Transfers to the treasury that belong to no payment, including those that this check found. */
  strays: { count: number; amountMicro: number };
  payouts: Obligations['unsettled'];
  checkedAt: Date;
  block: number;
  /** The treasury's balance in the ledger, and its USDC on chain at `block`. */
  treasuryMicro: number;
  chainMicro: number;
  /** What the treasury must hold at `block`, by the books and the payments in flight. */
  owedMicro: number;
};

export type LedgerDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'chain' | 'network' | 'payTo' | 'log' | 'payments'>;

// An event tells the first problems; the log has all.
const MOST_PROBLEMS_TOLD = 20;

// The check scans everything that was ever booked. Statements of requests have a limit of 10 s.
const STATEMENT_MS = 300_000;

// About a block. A node that lags behind has caught up by then.
const REREAD_MS = 2_000;

export type CheckOptions = { obligations?: typeof checkObligations; rereadMs?: number; isAgain?: boolean };

/**
 * Compares the ledger with itself and with the chain, and stores the result. While the newest check has a mismatch, no
 * payout is sent. Payments that vanished from the chain are taken back first.
 *
 * The check also books the strays that it found, and records up to which block every transfer is matched and final. The
 * next check starts there.
 *
 * @param options.obligations checks projects and payouts; tests of payments without projects pass their own function
 * @param options.isAgain a check before missed transfers and left their payments: they are in blocks that it had not read, or
 *   another check was faster
 * @param options.rereadMs how long the check waits before it reads the chain again because of a problem
 * @throws ChainUnavailable
 */
export async function checkLedger(
  deps: LedgerDeps,
  { obligations = checkObligations, rereadMs = REREAD_MS, isAgain = false }: CheckOptions = {},
): Promise<LedgerReport> {
  const { db, chain, network, payTo, log } = deps;
  const treasury = { network: network.id, treasury: payTo, asset: network.usdc.address };
  await scanAhead(deps);
  const before = await newestCheck(db);
  const block = await chain.blockNumber();
  // A restarted development chain can be shorter than the last scan.
  const from = Math.min((await scanStart(db, treasury)) ?? (await chain.searchStart()), block);
  const read = async (): Promise<ChainReading> => {
    const [chainMicro, transfers] = await Promise.all([
      chain.balanceMicro(payTo, block),
      chain.transfersOf(payTo, from, block),
    ]);
    return { chainMicro, transfers };
  };
  const [first, final] = await Promise.all([read(), chain.finalBlock()]);
  // Read the ledger after the chain. Each payment on chain up to `block` then has at least its claim in this snapshot.
  const ledger = await withTransaction(
    db,
    (tx) => readLedger(tx, treasury, { from, block, transfers: first.transfers }, obligations),
    { mode: 'isolation level repeatable read', statementMs: STATEMENT_MS },
  );
  const treasuryMicro = balanceOf(ledger.accounts, TREASURY);
  const side = { ...ledger, treasury: payTo, from, block, final, treasuryMicro };
  const { chainMicro, expectedMicro, ...compared } = await confirmedComparison(
    compareWithChain(side, first),
    async () => compareWithChain(side, await read()),
    rereadMs,
  );
  // Taken back, such a payment is in flight like every other one. It stops no other project.
  const { vanished } = compared;
  const taken = await takeBackVanished(deps, vanished);
  if (taken > 0 || (vanished.length > 0 && !isAgain))
    return await checkLedger(deps, { obligations, rereadMs, isAgain: taken < vanished.length });
  const newStrays = [...compared.earlier, ...compared.newStrays];
  const scannedTo = Math.min(final, block, (compared.firstOpenBlock ?? Infinity) - 1);
  if (await recordFound(deps, { strays: newStrays, moved: compared.moved })) await recordScan(db, treasury, scannedTo);
  const problems = [...ledger.problems, ...compared.problems];
  if (problems.length > 0) {
    log.error({ alert: 'ledger_mismatch', problems, block }, 'the ledger check found a mismatch');
    await alertOperator(deps, {
      alert: 'ledger_mismatch',
      subject: null,
      message: 'The ledger check found a mismatch; payouts are stopped.',
      details: { problems: problems.slice(0, MOST_PROBLEMS_TOLD), block },
    });
  }
  const report: LedgerReport = {
    balanced: ledger.problems.length === 0,
    chainMatches: compared.problems.length === 0,
    problems,
    accounts: ledger.accounts,
    unknownPayments: ledger.undecided.filter((row) => row.state === 'settling'),
    strays: {
      count: ledger.nobodys.count + newStrays.length,
      amountMicro: ledger.nobodys.micro + sumOf(newStrays),
    },
    payouts: ledger.unsettledPayouts,
    checkedAt: deps.clock.now(),
    block,
    treasuryMicro,
    chainMicro,
    owedMicro: expectedMicro,
  };
  await withTransaction(db, (tx) => insertCheck(tx, deps.newId(), report, before?.checkedAt ?? null));
  return report;
}

/** Returns false if a lock on payments was not available. The next check finds the same. */
async function recordFound(
  deps: LedgerDeps,
  { strays, moved }: { strays: ChainTransfer[]; moved: Matched['moved'] },
): Promise<boolean> {
  try {
    await relocatePayments(deps, moved);
    await recordStrays(deps, strays);
    return true;
  } catch (error) {
    deps.log.warn({ err: error, strays: strays.length, moved: moved.length }, 'what the check found was not recorded');
    return false;
  }
}

async function readLedger(
  tx: Tx,
  treasury: ScannedTreasury,
  { from, block, transfers }: { from: number; block: number; transfers: ChainTransfer[] },
  obligationsOf: typeof checkObligations,
) {
  const { network } = treasury;
  const [journals, range, settledAfterMicro, nobodys, unexplained, problems, obligations, checkedBefore] =
    await Promise.all([
      checkJournals(tx),
      readRange(tx, treasury, { from, block, transfers }),
      settledAfter(tx, treasury, block),
      unclaimedStrays(tx, network, block),
      unexplainedTransfers(tx, network, block),
      paymentProblems(tx),
      obligationsOf(tx),
      wasChecked(tx, treasury),
    ]);
  const strayMicro = balanceOf(journals.accounts, STRAY);
  const unexplainedMicro = balanceOf(journals.accounts, UNEXPLAINED);
  return {
    accounts: journals.accounts,
    ...range,
    settledAfterMicro,
    nobodys,
    straysAfterMicro: nobodys.afterMicro,
    unexplained,
    adoptedAfterMicro: unexplained.afterMicro,
    checkedBefore,
    unsettledPayouts: obligations.unsettled,
    problems: [
      ...journals.problems,
      ...problems,
      ...(strayMicro === nobodys.micro
        ? []
        : [`the account ${STRAY} has a balance of ${strayMicro}, but the stray transfers sum to ${nobodys.micro}`]),
      ...(unexplainedMicro === unexplained.micro
        ? []
        : [
            `the account ${UNEXPLAINED} has a balance of ${unexplainedMicro}, but the adopted transfers sum to ${unexplained.micro}`,
          ]),
      ...obligations.problems,
    ],
  };
}

async function paymentProblems(tx: Tx): Promise<string[]> {
  const checks = [settledWithoutJournal, journalsOfUnsettled, subjectsPaidTwice];
  const problems = await Promise.all(checks.map((check) => check(tx)));
  return problems.flat().map(({ problem }) => problem);
}

function balanceOf(accounts: LedgerReport['accounts'], name: string): number {
  return accounts.find(({ account }) => account === name)?.balanceMicro ?? 0;
}

type Operation = typeof operatorOperations.getLedger;

/** Checks the ledger now, against itself and against the chain at one block. */
export async function getLedger(ctx: Context<OperatorCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const report = await checkLedger(ctx);
  return {
    balanced: report.balanced,
    chain_matches: report.chainMatches,
    problems: report.problems,
    accounts: report.accounts.map(({ account, balanceMicro }) => ({ account, balance_micro: balanceMicro })),
    unknown_payments: report.unknownPayments.length,
    stray: { transfers: report.strays.count, amount_micro: report.strays.amountMicro },
    unsettled_payouts: report.payouts.map(({ amountMicro, ...rest }) => ({ ...rest, amount_micro: amountMicro })),
    checked_at: report.checkedAt,
    block: report.block,
  };
}
