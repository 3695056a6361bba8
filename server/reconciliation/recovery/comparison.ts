import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { alertOperator } from '../../events/public.ts';
import { requireRecovery, serverName } from '../../ledger/public.ts';
import { ChainUnavailable } from '../../chain/types.ts';
import type { ChainComparison } from '../../ledger/types.ts';
import { scanAhead } from '../scan-ahead.ts';
import { firstUnknownBlock, type ReadDeps, unknownTransfers } from './transfers.ts';

type ComparisonDeps = ReadDeps & Pick<Deps, 'clock' | 'facilitator' | 'log' | 'newId'>;

/** How long a request waits for the comparison at the start. It usually takes a few milliseconds. */
const WAIT_MS = 2_000;

/**
 * Creates the comparison of this process. A database that is older than the chain stops all money until a recovery has run.
 * While the chain does not answer, the comparison is not made, and a job makes it again.
 */
export function createComparison(deps: ComparisonDeps): ChainComparison {
  let comparedOn: string | null = null;
  let running: Promise<boolean> | null = null;
  const makeNow = async () => {
    // Read before the comparison: after a failover in the middle, it is made again.
    const server = await serverName(deps.db);
    if (server !== comparedOn && !(await compare(deps))) return false;
    comparedOn = server;
    return true;
  };
  const make = () =>
    (running ??= makeNow().finally(() => {
      running = null;
    }));
  return {
    make,
    isOf: (server) => server === comparedOn,
    async made() {
      if (comparedOn !== null) return true;
      const over = new AbortController();
      const patience = sleep(WAIT_MS, false, { signal: over.signal, ref: false }).catch(() => false);
      return await Promise.race([make(), patience]).finally(() => over.abort());
    },
  };
}

/** Returns false if the chain did not answer. */
async function compare(deps: ComparisonDeps): Promise<boolean> {
  try {
    // A node that is behind does not show what the database has lost.
    await deps.chain.check();
    await scanAhead(deps);
    const from = await firstUnknownBlock(deps);
    if (from === null) return true;
    const unknown = await unknownTransfers(deps, from);
    if (unknown.out + unknown.in > 0) await stop(deps, unknown, from);
    return true;
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    deps.log.warn({ err: error }, 'the chain did not answer: it is not known whether the database is older than it');
    return false;
  }
}

async function stop(deps: ComparisonDeps, unknown: { out: number; in: number }, fromBlock: number): Promise<void> {
  const parts = [
    ...(unknown.out > 0 ? [`${unknown.out} transfers out of the treasury`] : []),
    ...(unknown.in > 0 ? [`${unknown.in} payments into the treasury`] : []),
  ];
  const message = `the database is older than the chain: it does not know ${parts.join(' and ')} since block ${fromBlock}`;
  const details = { transfers: unknown.out, payments: unknown.in, from_block: fromBlock };
  await requireRecovery(deps.db, message, deps.clock.now());
  deps.log.error({ alert: 'recovery_needed', ...details }, `${message}. No money moves until a recovery has run`);
  await alertOperator(deps, {
    alert: 'recovery_needed',
    subject: null,
    message: `No money moves: ${message}.`,
    details,
  });
}
