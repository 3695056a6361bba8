import type { Deps } from '../../deps.ts';
import { alertOperator } from '../../events/public.ts';
import { requireRecovery } from '../../ledger/public.ts';
import { ChainUnavailable } from '../../ports/chain.ts';
import { firstUnknownBlock, type ReadDeps, unknownOutgoing } from './transfers.ts';

type StartDeps = ReadDeps & Pick<Deps, 'clock' | 'log' | 'newId'>;

/**
 * Returns whether this process may move money: the database was compared with the chain since the process started. A
 * database that is older than the chain stops all money until a recovery has run. While the chain does not answer, the
 * comparison is made again at the next call.
 */
export function createStartComparison(deps: StartDeps): () => Promise<boolean> {
  let compared: Promise<boolean> | null = null;
  return async () => {
    compared ??= compare(deps);
    const done = await compared.catch((error: unknown) => {
      compared = null;
      throw error;
    });
    if (!done) compared = null;
    return done;
  };
}

async function compare(deps: StartDeps): Promise<boolean> {
  try {
    const from = await firstUnknownBlock(deps);
    const unknown = from === null ? [] : await unknownOutgoing(deps, from);
    if (unknown.length > 0) await stop(deps, unknown.length, from ?? 0);
    return true;
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    deps.log.warn({ err: error }, 'the chain did not answer: it is not known whether the database is older than it');
    return false;
  }
}

async function stop(deps: StartDeps, transfers: number, fromBlock: number): Promise<void> {
  const message = `the database is older than the chain: it does not know ${transfers} transfers out of the treasury since block ${fromBlock}`;
  await requireRecovery(deps.db, message, deps.clock.now());
  deps.log.error(
    { alert: 'recovery_needed', transfers, fromBlock },
    `${message}. No money moves until a recovery has run`,
  );
  await alertOperator(deps, {
    type: 'ALERT.RECOVERY_NEEDED',
    data: { subject: null, message: `No money moves: ${message}.`, details: { transfers, from_block: fromBlock } },
  });
}
