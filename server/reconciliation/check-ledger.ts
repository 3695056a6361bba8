import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { STRAY, TREASURY, checkJournals, insertCheck } from '../ledger/public.ts';
import type { ChainTransfer } from '../ports/chain.ts';
import { HELD_BEFORE } from './initial-balance.ts';
import * as queries from './queries.ts';
import { matchTransfers } from './match-transfers.ts';
import { unclaimedStrays, straysBetween, recordStrays } from '../payments/public.ts';
import type { Tx } from '../ports/database.ts';
import { checkObligations, type Obligations } from './check-obligations.ts';

export type LedgerReport = {
  /** Every invariant that the books hold by themselves. */
  balanced: boolean;
  /** The treasury's USDC and every transfer into and out of it are what the books say, at `block`. */
  chainMatches: boolean;
  problems: string[];
  /** Those with money in them. */
  accounts: { account: string; balanceMicro: number }[];
  /** Payments whose outcome is not known yet: money of theirs that has moved is no mismatch. */
  unknownPayments: queries.Undecided[];
  /** What came to the treasury and is nobody's, those included that this check has found. */
  strays: { count: number; amountMicro: number };
  payouts: Obligations['unsettled'];
  checkedAt: Date;
  block: number;
  /** What the books say that the treasury has, and what the chain says at `block`. */
  treasuryMicro: number;
  chainMicro: number;
};

export type LedgerDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'chain' | 'network' | 'payTo' | 'log'>;

// Several scans over everything that was ever booked; a statement of a request may take 10 s.
const STATEMENT_TIMEOUT = '5min';

/**
 * Holds the books against themselves and against the chain, and stores what it found: while the newest check found a
 * mismatch, nothing is paid out. Writes besides only a note of how far back everything was matched and final, so that
 * the next check starts there, and the strays that it came upon.
 *
 * @param obligations checks projects and payouts; tests of payments without projects pass their own
 * @throws ChainUnavailable
 */
export async function checkLedger(deps: LedgerDeps, obligations = checkObligations): Promise<LedgerReport> {
  const { db, chain, network, payTo, log } = deps;
  const treasury = { network: network.id, treasury: payTo, asset: network.usdc.address };
  const block = await chain.blockNumber();
  // A development chain that was started anew is shorter than the last scan.
  const from = Math.min((await queries.scanStart(db, treasury)) ?? (await chain.searchStart()), block);
  const [chainMicro, transfers, final] = await Promise.all([
    chain.balanceMicro(payTo, block),
    chain.transfersOf(payTo, from, block),
    chain.finalBlock(),
  ]);
  // After the chain was read: whatever is on it up to `block` has at least its claim here.
  const books = await withTransaction(db, async (tx) => {
    await tx`set transaction isolation level repeatable read`;
    await tx.unsafe(`set local statement_timeout = '${STATEMENT_TIMEOUT}'`);
    return await readBooks(tx, treasury, { from, block }, obligations);
  });
  const matched = matchTransfers({ treasury: payTo, final, transfers, ...books });
  const earlier = books.checkedBefore ? [] : heldBefore(payTo, { from, chainMicro, transfers });
  const newStrays = [...earlier, ...matched.newStrays];
  const treasuryMicro = balanceOf(books.accounts, TREASURY);
  const expectedMicro =
    treasuryMicro - books.settledAfterMicro - books.nobodys.afterMicro + matched.aheadMicro + sumOf(earlier);
  const chainProblems = [...matched.problems];
  if (chainMicro !== expectedMicro) {
    chainProblems.push(`the treasury holds ${chainMicro} on chain at block ${block}, the books say ${expectedMicro}`);
  }
  const scannedTo = Math.min(final, block, (matched.firstOpenBlock ?? Infinity) - 1);
  if (await recordFound(deps, newStrays)) await queries.recordScan(db, treasury, scannedTo);
  const problems = [...books.problems, ...chainProblems];
  if (problems.length > 0) log.error({ alert: 'ledger_mismatch', problems, block }, 'the ledger does not hold');
  const report: LedgerReport = {
    balanced: books.problems.length === 0,
    chainMatches: chainProblems.length === 0,
    problems,
    accounts: books.accounts,
    unknownPayments: books.undecided.filter((row) => row.state === 'settling'),
    strays: {
      count: books.nobodys.count + newStrays.length,
      amountMicro: books.nobodys.micro + sumOf(newStrays),
    },
    payouts: books.unsettledPayouts,
    checkedAt: deps.clock.now(),
    block,
    treasuryMicro,
    chainMicro,
  };
  await insertCheck(db, deps.newId(), report);
  return report;
}

/**
 * What the treasury held before the first block that any check looks at, as one stray: anybody can send some to an address
 * that is known before its service.
 */
function heldBefore(
  treasury: string,
  { from, chainMicro, transfers }: { from: number; chainMicro: number; transfers: ChainTransfer[] },
): ChainTransfer[] {
  const [came, went] = [
    transfers.filter(({ to }) => to === treasury),
    transfers.filter((one) => one.from === treasury),
  ];
  const amountMicro = chainMicro - sumOf(came) + sumOf(went);
  const nothing = { txHash: HELD_BEFORE, logIndex: 0, blockNumber: from - 1, from: `0x${'0'.repeat(40)}` };
  return amountMicro > 0 ? [{ ...nothing, to: treasury, amountMicro }] : [];
}

function sumOf(transfers: ChainTransfer[]): number {
  return transfers.reduce((sum, { amountMicro }) => sum + amountMicro, 0);
}

/** False when payments could not be held up for it: the next check finds the same ones. */
async function recordFound(deps: LedgerDeps, strays: ChainTransfer[]): Promise<boolean> {
  try {
    await recordStrays(deps, strays);
    return true;
  } catch (error) {
    deps.log.warn({ err: error, strays: strays.length }, 'stray transfers were not recorded');
    return false;
  }
}

async function readBooks(
  tx: Tx,
  treasury: queries.Treasury,
  { from, block }: { from: number; block: number },
  obligationsOf: typeof checkObligations,
) {
  const { network } = treasury;
  const [journals, settled, settledAfterMicro, strays, nobodys, undecided, problems, obligations, checkedBefore] =
    await Promise.all([
      checkJournals(tx),
      queries.settledBetween(tx, treasury, from, block),
      queries.settledAfter(tx, treasury, block),
      straysBetween(tx, network, from, block),
      unclaimedStrays(tx, network, block),
      queries.undecidedPayments(tx, treasury),
      paymentProblems(tx),
      obligationsOf(tx),
      queries.wasChecked(tx, treasury),
    ]);
  const strayMicro = balanceOf(journals.accounts, STRAY);
  return {
    accounts: journals.accounts,
    settled,
    settledAfterMicro,
    strays,
    nobodys,
    undecided,
    checkedBefore,
    unsettledPayouts: obligations.unsettled,
    problems: [
      ...journals.problems,
      ...problems,
      ...(strayMicro === nobodys.micro
        ? []
        : [`the account ${STRAY} shows ${strayMicro}, the transfers that are nobody's sum to ${nobodys.micro}`]),
      ...obligations.problems,
    ],
  };
}

async function paymentProblems(tx: Tx): Promise<string[]> {
  const [withoutJournal, unsettled, twice] = await Promise.all([
    queries.settledWithoutJournal(tx),
    queries.journalsOfUnsettled(tx),
    queries.subjectsPaidTwice(tx),
  ]);
  return [
    ...withoutJournal.map(({ id }) => `payment ${id} is settled and has no journal of its amount and direction`),
    ...unsettled.map(
      ({ journalId, paymentId }) => `journal ${journalId} books payment ${paymentId}, which is not settled`,
    ),
    ...twice.map(({ kind, subjectId }) => `${kind} of ${subjectId} is settled more than once`),
  ];
}

function balanceOf(accounts: LedgerReport['accounts'], name: string): number {
  return accounts.find(({ account }) => account === name)?.balanceMicro ?? 0;
}
