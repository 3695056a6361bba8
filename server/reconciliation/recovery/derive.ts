import type { Deps } from '../../deps.ts';
import { submissionIdsOf } from '../../entries/public.ts';
import { payoutNonce, prizeReference, projectsOwing, shareReference } from '../../payouts/public.ts';
import { listUndecided } from '../../projects/public.ts';

/** A prize or a share that a project owes, owed, or could have owed. */
export type Derived = { projectId: string; reference: string; kind: 'prize' | 'share' };

/** Finds the derived payout with the nonce of an authorization. */
export type Derive = (nonce: string) => Promise<Derived | null>;

/** A restored database is seldom older. A project that ended and was paid before that is not looked at. */
const ENDED_WITHIN_MS = 30 * 86_400_000;

/**
 * Derives the nonces of all prizes and shares of the projects that are undecided, that owe payouts, or that ended not long
 * ago. Reads them at the first question, once for a whole recovery: which payouts a project can owe never changes.
 */
export function createDerivation(deps: Pick<Deps, 'db' | 'clock'>): Derive {
  let byNonce: Promise<Map<string, Derived>> | null = null;
  return async (nonce) => (await (byNonce ??= deriveAll(deps))).get(nonce) ?? null;
}

async function deriveAll({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Map<string, Derived>> {
  const since = new Date(clock.now().getTime() - ENDED_WITHIN_MS);
  const projects = new Set([...(await listUndecided(db)), ...(await projectsOwing(db, since))]);
  const byNonce = new Map<string, Derived>();
  const add = (derived: Derived) => byNonce.set(payoutNonce(derived.reference), derived);
  for (const projectId of projects) {
    add({ projectId, kind: 'prize', reference: prizeReference(projectId) });
    for (const submissionId of await submissionIdsOf(db, projectId))
      add({ projectId, kind: 'share', reference: shareReference(projectId, submissionId) });
  }
  return byNonce;
}
