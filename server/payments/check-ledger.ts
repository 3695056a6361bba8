import { TREASURY } from '../ledger/accounts.ts';
import { checkJournals } from '../ledger/check-journals.ts';
import type { Deps, Queryable } from '../context.ts';
import { withTransaction } from '../db/transaction.ts';
import type { ChainTransfer } from './chain.ts';
import * as queries from './ledger-queries.ts';

export type UnknownPayment = {
  id: string;
  kind: string;
  subjectId: string;
  payer: string;
  amountMicro: number;
  error: string | null;
  createdAt: Date;
};

export type LedgerReport = {
  /** Every invariant that the books hold by themselves. */
  balanced: boolean;
  /** The treasury's USDC and every transfer into it are what the books say, at `block`. */
  chainMatches: boolean;
  problems: string[];
  accounts: { account: string; balanceMicro: number }[];
  /** Payments whose outcome is not known yet: money of theirs that has arrived is no mismatch. */
  unknownPayments: UnknownPayment[];
  block: number;
};

type LedgerDeps = Pick<Deps, 'db' | 'chain' | 'network' | 'payTo' | 'log'>;

/**
 * Holds the books against themselves and against the chain. Reads only, but for a note of how far back everything
 * was matched and final, so that the next check starts there.
 *
 * @throws ChainUnavailable
 */
export async function checkLedger(deps: LedgerDeps): Promise<LedgerReport> {
  const { db, chain, network, payTo, log } = deps;
  const treasury = { network: network.id, treasury: payTo, asset: network.usdc.address };
  const block = await chain.blockNumber();
  const from = await queries.scanStart(db, treasury, block);
  const [chainMicro, transfers, final] = await Promise.all([
    chain.balanceMicro(payTo, block),
    chain.transfersTo(payTo, from, block),
    chain.finalBlock(),
  ]);
  // After the chain was read: whatever is on it up to `block` has at least its claim here.
  const books = await withTransaction(db, async (tx) => {
    await tx`set transaction isolation level repeatable read`;
    return await readBooks(tx, treasury, from, block);
  });
  const matched = match(transfers, books);
  const treasuryMicro = books.accounts.find(({ account }) => account === TREASURY)?.balanceMicro ?? 0;
  const expectedMicro = treasuryMicro - books.settledAfterMicro + matched.arrivingMicro;
  const chainProblems = [...matched.problems];
  if (chainMicro !== expectedMicro) {
    chainProblems.push(`the treasury holds ${chainMicro} on chain at block ${block}, the books say ${expectedMicro}`);
  }
  await queries.recordScan(db, treasury, Math.min(final, block, (matched.firstOpenBlock ?? Infinity) - 1));
  const problems = [...books.problems, ...chainProblems];
  if (problems.length > 0) log.error({ alert: 'ledger_mismatch', problems, block }, 'the ledger does not hold');
  return {
    balanced: books.problems.length === 0,
    chainMatches: chainProblems.length === 0,
    problems,
    accounts: books.accounts,
    unknownPayments: books.undecided.filter((row) => row.state === 'settling'),
    block,
  };
}

type Books = Awaited<ReturnType<typeof readBooks>>;

async function readBooks(tx: Queryable, treasury: queries.Treasury, from: number, block: number) {
  const [journals, settled, settledAfterMicro, undecided, withoutJournal, doubleFees] = await Promise.all([
    checkJournals(tx),
    queries.settledBetween(tx, treasury, from, block),
    queries.settledAfter(tx, treasury, block),
    queries.undecidedPayments(tx, treasury),
    queries.settledWithoutJournal(tx),
    queries.subjectsPaidTwice(tx),
  ]);
  return {
    accounts: journals.accounts,
    settled,
    settledAfterMicro,
    undecided,
    problems: [
      ...journals.problems,
      ...withoutJournal.map(({ id }) => `payment ${id} is settled and has no journal of its amount`),
      ...doubleFees.map(({ kind, subjectId }) => `${kind} of ${subjectId} is settled more than once`),
    ],
  };
}

/** Each transfer into the treasury against exactly one row, and the other way round. */
function match(transfers: ChainTransfer[], { settled, undecided }: Books) {
  const rows = new Map(settled.map((row) => [`${row.txHash}:${row.logIndex}`, row]));
  const waiting = [...undecided];
  const problems: string[] = [];
  let arrivingMicro = 0;
  let firstOpenBlock: number | null = null;
  for (const transfer of transfers) {
    // Anybody can send nothing to anybody; it costs only gas, and on a real network it happens all the time.
    if (transfer.amountMicro === 0) continue;
    const place = `${transfer.txHash}:${transfer.logIndex}`;
    const row = rows.get(place);
    rows.delete(place);
    if (row?.amountMicro === transfer.amountMicro && row.payer === transfer.from) continue;
    firstOpenBlock ??= transfer.blockNumber;
    const arriving = row
      ? -1
      : waiting.findIndex(({ payer, amountMicro }) => payer === transfer.from && amountMicro === transfer.amountMicro);
    if (arriving >= 0) {
      waiting.splice(arriving, 1);
      arrivingMicro += transfer.amountMicro;
    } else {
      problems.push(`transfer ${place} of ${transfer.amountMicro} from ${transfer.from} matches no payment`);
    }
  }
  for (const row of rows.values()) {
    firstOpenBlock = Math.min(firstOpenBlock ?? Infinity, row.blockNumber);
    problems.push(`payment ${row.id} is settled, but its transfer ${row.txHash}:${row.logIndex} is not on chain`);
  }
  return { problems, arrivingMicro, firstOpenBlock };
}
