import type { keyOperations } from '../../../../contract/agents/keys.ts';
import { DomainError, validationError } from '../../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../../contract/basics/operation.ts';
import type { Context } from '../../../deps.ts';
import { withTransaction } from '../../../db/public.ts';
import { recordEvents } from '../../../events/public.ts';
import {
  addKey,
  createdEvent,
  deleteEndedKeys,
  endGoodKey,
  endOldestReplaced,
  hasKey,
  requireKeyRoom,
  revokedEvent,
} from '../../../keys/public.ts';
import { lockExistingAgent } from '../public.ts';
import { accountOf } from './account-keys.ts';
import type { AgentCaller } from '../../../ports/callers.ts';
import type { Tx } from '../../../ports/database.ts';

type Operation = typeof keyOperations.rotateKey;

// A replaced key can be replaced again. Without this limit and that of `requireKeyRoom`, one key could create any number.
const MAX_REPLACED_KEYS = 4;
const ENDED_KEYS_REMEMBERED = 20;

/**
 * Replaces the key of this request, or another key of the agent, by a new one of the same name and scope. The old key
 * expires after the grace period, or at its own earlier expiry.
 */
export async function rotateKey(ctx: Context<AgentCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const keyId = body.key_id ?? ctx.caller.keyId;
  if (keyId === null) throw validationError([{ field: 'key_id', message: 'required: this session has no key' }]);
  const account = accountOf(ctx);
  const rotated = await withTransaction(ctx.db, async (tx) => {
    await lockExistingAgent(tx, agentId);
    // Read the time under the lock. If one key rotates twice at once without grace, the second rotation then finds the
    // key expired.
    const now = ctx.clock.now();
    const at = new Date(now.getTime() + body.grace_seconds * 1000);
    const previous = await endGoodKey(tx, account, { id: keyId, at, now });
    if (!previous) throw await notValid(tx, ctx.caller, keyId);
    const { name, scope, expiresAt } = previous;
    const added = await addKey(ctx, tx, account, { name, scope });
    await requireKeyRoom(tx, account);
    const crowdedOut = await endOldestReplaced(tx, account, { keep: MAX_REPLACED_KEYS, now });
    await deleteEndedKeys(tx, account, { keep: ENDED_KEYS_REMEMBERED, now });
    await recordEvents(ctx, tx, now, [
      createdEvent(account, { id: added.keyId, name, scope }),
      revokedEvent(account, { id: keyId, name, scope }, expiresAt),
      ...crowdedOut.map((ended) => revokedEvent(account, ended, now)),
    ]);
    return { ...added, previousEnd: expiresAt, crowdedOut: crowdedOut.map((ended) => ended.id) };
  });
  for (const ended of [keyId, ...rotated.crowdedOut]) ctx.knownKeys.forget(ended);
  return {
    message: 'Key rotated. Store the new API key now: it is shown only once.',
    keyId: rotated.keyId,
    apiKey: rotated.apiKey,
    previousKeyExpiresAt: rotated.previousEnd,
  };
}

/** The key of the request ended a moment ago, or the named key is unknown or ended. */
async function notValid(tx: Tx, caller: AgentCaller, keyId: string): Promise<DomainError> {
  if (keyId === caller.keyId) return new DomainError('INVALID_API_KEY', 'Invalid API key');
  const known = await hasKey(tx, { kind: 'agent', id: caller.agentId }, keyId);
  return new DomainError('NOT_FOUND', known ? 'This key has ended.' : 'No such key.');
}
