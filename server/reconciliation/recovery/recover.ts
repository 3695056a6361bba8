import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { finishRecovery, recoveryNeededSince, serverName } from '../../ledger/public.ts';
import { contradictProject, holdReturns, MAY_BE_SPENT, payoutNonce, strayReference } from '../../payouts/public.ts';
import { strayId } from '../../payments/public.ts';
import { checkLedger } from '../check-ledger.ts';
import { contradictedProject, giveBack, tryToBook } from './book.ts';
import { createDerivation, type Derive } from './derive.ts';
import { explainIncoming, explainOutgoing, type Explanation } from './explain.ts';
import { firstUnknownBlock, type Lost, lostTransfers } from './transfers.ts';

/** The place that a recovery gave a transfer, or would give it. */
export type Finding = {
  transfer: Lost;
  /**
   * `booked`: as the payment or payout `subject`. `returned`: owed to its sender, or its return. `unknown`: the operator
   * must adopt it.
   */
  outcome: 'booked' | 'returned' | 'unknown';
  subject: string | null;
  note: string | null;
};

export type RecoveryReport = {
  dryRun: boolean;
  fromBlock: number;
  untilBlock: number;
  findings: Finding[];
  /** More strays are recorded than a recovery looks at: the newest ones. */
  straysCut: boolean;
  /** The problems of the ledger check at the end. Null in a dry run. */
  problems: string[] | null;
  /** Null: the recovery did not end. Transfers or problems are left. */
  recoveredUntil: number | null;
};

type RecoveryOptions = { dryRun: boolean; untilBlock?: number | undefined };

/**
 * Books every transfer of the treasury that the chain shows and the database lost. Moves no money itself. Afterwards it
 * checks the ledger; without a mismatch, payouts flow again.
 *
 * Any number of recoveries may run at once, and the next one completes one that was killed.
 *
 * @throws ChainUnavailable
 */
export async function recover(deps: Deps, options: RecoveryOptions): Promise<RecoveryReport> {
  const { dryRun } = options;
  const [server, since] = await Promise.all([serverName(deps.db), recoveryNeededSince(deps.db)]);
  const { from, until, findings, cut } = await bookLost(deps, options);
  const range = { dryRun, fromBlock: from, untilBlock: until, straysCut: cut };
  const report = { ...range, findings, problems: null, recoveredUntil: null };
  if (dryRun) return report;
  const isOpen = findings.some(({ outcome, transfer }) => outcome === 'unknown' && isOutgoing(deps, transfer));
  const { problems } = await checkLedger(deps);
  const isDone = !isOpen && problems.length === 0;
  const recoveredUntil = await withTransaction(deps.db, async (tx) => {
    const at = deps.clock.now();
    const isFinished = isDone && (await finishRecovery(tx, { server, since, untilBlock: until, at }));
    const recovered = isFinished ? until : null;
    await recordAudit(deps, tx, {
      at,
      actor: 'operator',
      action: 'recovery.run',
      subject: `block:${until}`,
      details: { from_block: from, recovered_until: recovered, ...countsOf(report) },
    });
    return recovered;
  });
  if (recoveredUntil === null) return { ...report, problems: isDone ? [CHANGED] : problems };
  deps.log.info({ fromBlock: from, untilBlock: until, transfers: findings.length }, 'the database is recovered');
  return { ...report, problems, recoveredUntil };
}

const CHANGED = 'the database changed its server, or lost more, while it was recovered: run the recovery again';

/** Finds a place for every lost transfer, and books it there unless `dryRun`. @throws ChainUnavailable */
export async function bookLost(
  deps: Deps,
  { dryRun, untilBlock }: RecoveryOptions,
): Promise<{ from: number; until: number; findings: Finding[]; cut: boolean }> {
  // A node that is behind does not show what the database has lost.
  await deps.chain.check();
  const [first, final] = await Promise.all([firstUnknownBlock(deps), deps.chain.finalBlock()]);
  const until = Math.min(untilBlock ?? final, final);
  const from = Math.min(first ?? (await deps.chain.searchStart()), until + 1);
  const { lost, cut } = await lostTransfers(deps, { from, until });
  const findings = await bookAll({ ...deps, derive: createDerivation(deps) }, lost, dryRun);
  return { from, until, findings, cut };
}

type RecoveringDeps = Deps & { derive: Derive };

/** Counts what became of the transfers. */
export function countsOf({ findings }: Pick<RecoveryReport, 'findings'>) {
  const count = (outcome: Finding['outcome']) => findings.filter((finding) => finding.outcome === outcome).length;
  return { booked: count('booked'), returned: count('returned'), unknown: count('unknown') };
}

const isOutgoing = ({ payTo }: Pick<Deps, 'payTo'>, { from }: Lost) => from === payTo;

/**
 * Books outgoing transfers first: they tell how projects ended, and which payments were given back. Then the incoming
 * ones, and then what only they could explain. What is left then contradicts its project.
 */
async function bookAll(deps: RecoveringDeps, lost: Lost[], dryRun: boolean): Promise<Finding[]> {
  const found = new Map<Lost, Finding>();
  const contradicted = new Map<Lost, string | null>();
  const note = async (transfer: Lost, explanation: Explanation) => {
    found.set(transfer, await settle(deps, transfer, explanation, dryRun));
    contradicted.set(transfer, contradictedProject(explanation));
  };
  const outgoing = lost.filter((transfer) => isOutgoing(deps, transfer));
  const incoming = lost.filter((transfer) => !isOutgoing(deps, transfer));
  for (const transfer of outgoing) await note(transfer, await explainOutgoing(deps, transfer));
  const isUnknown = (transfer: Lost) => found.get(transfer)?.outcome === 'unknown';
  for (const back of outgoing.filter(isUnknown)) {
    const paid = await givenBack(deps, back, incoming, found);
    if (paid === null || !(dryRun || (await giveBack(deps, paid, back)))) continue;
    found.set(paid, { transfer: paid, outcome: 'returned', subject: null, note: `given back in ${back.txHash}` });
    found.set(back, { transfer: back, outcome: 'returned', subject: null, note: `gave ${paid.txHash} back` });
  }
  for (const transfer of incoming.filter((each) => !found.has(each)))
    found.set(transfer, await settleIncoming(deps, transfer, dryRun));
  if (!dryRun)
    for (const transfer of outgoing.filter(isUnknown)) await note(transfer, await explainOutgoing(deps, transfer));
  for (const transfer of outgoing.filter(isUnknown)) {
    const projectId = contradicted.get(transfer) ?? null;
    if (projectId !== null) await holdBack(deps, found, { transfer, projectId, dryRun });
  }
  await holdReturned(deps, found, { incoming, unknown: outgoing.filter(isUnknown), dryRun });
  return lost.flatMap((transfer) => found.get(transfer) ?? []);
}

/** Books a transfer into the treasury, or owes it back to its sender. */
async function settleIncoming(deps: RecoveringDeps, transfer: Lost, dryRun: boolean): Promise<Finding> {
  let explanation = await explainIncoming(deps, transfer);
  let finding = await settle(deps, transfer, explanation, dryRun);
  if (finding.outcome === 'unknown' && !dryRun) {
    // Another recovery may have claimed it meanwhile. Given back, it would pay for nothing.
    explanation = await explainIncoming(deps, transfer);
    if (explanation.as === 'payment') finding = await settle(deps, transfer, explanation, dryRun);
  }
  if (finding.outcome !== 'unknown') return finding;
  const returned = dryRun || (await giveBack(deps, transfer, null));
  const why = explanation.as === 'unknown' ? explanation.why : 'it can no longer be paid';
  return { transfer, outcome: returned ? 'returned' : 'unknown', subject: null, note: why };
}

type Contradiction = { transfer: Lost; projectId: string; dryRun: boolean };

async function holdBack(deps: Deps, found: Map<Lost, Finding>, { transfer, projectId, dryRun }: Contradiction) {
  const finding = found.get(transfer);
  if (!finding) return;
  if (!dryRun) await contradictProject(deps, { projectId, transfer });
  found.set(transfer, { ...finding, note: `${finding.note}. ${HELD} project:${projectId}` });
}

/**
 * Holds what goes back to senders if unknown transfers out may have spent it: together, later ones took at least half of it.
 * Otherwise the prize of a lost project could go back to its poster after its winner got it.
 */
async function holdReturned(
  deps: Deps,
  found: Map<Lost, Finding>,
  { incoming, unknown, dryRun }: { incoming: Lost[]; unknown: Lost[]; dryRun: boolean },
): Promise<void> {
  const maySpend = (transfer: Lost) => {
    const spent = unknown.filter((out) => isBefore(transfer, out)).reduce((sum, out) => sum + out.amountMicro, 0);
    return spent > 0 && 2 * spent >= transfer.amountMicro;
  };
  const returned = incoming.filter((each) => found.get(each)?.outcome === 'returned' && maySpend(each));
  if (!dryRun)
    await holdReturns(
      deps,
      returned.map((transfer) => strayIdOf(deps, transfer)),
    );
  for (const transfer of returned) {
    const finding = found.get(transfer);
    if (finding) found.set(transfer, { ...finding, note: `${finding.note}. It is held: ${MAY_BE_SPENT}` });
  }
}

const HELD = 'The service holds the unsettled payouts of';

async function settle(deps: Deps, transfer: Lost, explanation: Explanation, dryRun: boolean): Promise<Finding> {
  if (explanation.as === 'unknown' || explanation.as === 'contradiction')
    return { transfer, outcome: 'unknown', subject: null, note: explanation.why };
  const { subject } = explanation;
  if (dryRun || (await tryToBook(deps, transfer, explanation)))
    return { transfer, outcome: 'booked', subject, note: null };
  return { transfer, outcome: 'unknown', subject, note: 'it does not fit what the database owes' };
}

/**
 * Returns the lost incoming transfer that an unknown outgoing one gave back. Its nonce says so, or it is the next transfer
 * of the same amount to the same wallet.
 */
async function givenBack(
  deps: RecoveringDeps,
  back: Lost,
  incoming: Lost[],
  found: Map<Lost, Finding>,
): Promise<Lost | null> {
  if (back.nonce === null) return null;
  const candidates = incoming.filter(
    (paid) =>
      !found.has(paid) && paid.from === back.to && paid.amountMicro === back.amountMicro && isBefore(paid, back),
  );
  const named = candidates.find((paid) => payoutNonce(strayReference(strayIdOf(deps, paid))) === back.nonce);
  if (named) return named;
  for (const paid of candidates) if ((await explainIncoming(deps, paid)).as !== 'payment') return paid;
  return null;
}

const strayIdOf = ({ network }: Pick<Deps, 'network'>, lost: Lost) => lost.strayId ?? strayId(network.id, lost);

function isBefore(a: Lost, b: Lost): boolean {
  return a.blockNumber < b.blockNumber || (a.blockNumber === b.blockNumber && a.logIndex < b.logIndex);
}
