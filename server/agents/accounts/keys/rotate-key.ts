import type { keyOperations } from '../../../../contract/agents/keys.ts';
import { DomainError, validationError } from '../../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../../contract/basics/operation.ts';
import type { Context } from '../../../deps.ts';
import { withTransaction } from '../../../db/public.ts';
import { type NewEvent, recordEvents } from '../../../events/public.ts';
import { issueKey, keyPrefix } from '../../../keys/public.ts';
import { requireKeyRoom } from './create-key.ts';
import {
  deleteEndedKeys,
  endGoodKey,
  endOldestReplaced,
  hasKey,
  insertKey,
  type KeyLabel,
  lockExistingAgent,
} from '../public.ts';
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
  const { key, id, secretHash } = issueKey(keyPrefix('agent', ctx.network.testnet), ctx.randomBytes);
  const rotated = await withTransaction(ctx.db, async (tx) => {
    await lockExistingAgent(tx, agentId);
    // Read the time under the lock. If one key rotates twice at once without grace, the second rotation then finds the
    // key expired.
    const now = ctx.clock.now();
    const at = new Date(now.getTime() + body.grace_seconds * 1000);
    const previous = await endGoodKey(tx, { id: keyId, agentId, at, now });
    if (!previous) throw await notValid(tx, ctx.caller, keyId);
    const { name, scope, expiresAt } = previous;
    await insertKey(tx, { id, agentId, name, scope, secretHash, now });
    await requireKeyRoom(tx, agentId);
    const crowdedOut = await endOldestReplaced(tx, { agentId, keep: MAX_REPLACED_KEYS, now });
    await deleteEndedKeys(tx, { agentId, keep: ENDED_KEYS_REMEMBERED, now });
    await recordEvents(ctx, tx, now, [
      { agent: agentId, type: 'KEY.CREATED', data: { key_id: id, name, scope } },
      revoked(agentId, { id: keyId, name, scope }, expiresAt),
      ...crowdedOut.map((ended) => revoked(agentId, ended, now)),
    ]);
    return { previousEnd: expiresAt, crowdedOut: crowdedOut.map((ended) => ended.id) };
  });
  for (const ended of [keyId, ...rotated.crowdedOut]) ctx.agentKeys.forget(ended);
  return {
    message: 'Key rotated. Store the new API key now: it is shown only once.',
    keyId: id,
    apiKey: key,
    previousKeyExpiresAt: rotated.previousEnd,
  };
}

/** Returns the event of a key that ends. */
export function revoked(agent: string, { id, name, scope }: KeyLabel & { id: string }, endsAt: Date): NewEvent {
  return { agent, type: 'KEY.REVOKED', data: { key_id: id, name, scope, ends_at: endsAt.toISOString() } };
}

/** The key of the request ended a moment ago, or the named key is unknown or ended. */
async function notValid(tx: Tx, caller: AgentCaller, keyId: string): Promise<DomainError> {
  if (keyId === caller.keyId) return new DomainError('INVALID_API_KEY', 'Invalid API key');
  const known = await hasKey(tx, { id: keyId, agentId: caller.agentId });
  return new DomainError('NOT_FOUND', known ? 'This key has ended.' : 'No such key.');
}
