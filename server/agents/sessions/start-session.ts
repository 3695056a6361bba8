import type { sessionOperations } from '../../../contract/sessions.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { KeyScope } from '../../../contract/basics/scope.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import { requireKey, requireSignedChallenge, startSession, useChallenge } from '../../keys/public.ts';
import type { PublicCaller } from '../../callers.ts';
import type { Tx } from '../../db/database.ts';
import { SessionStarted } from '../../serve.ts';
import { requireAgent } from '../accounts/locks.ts';
import { findProvenOwner } from './session-queries.ts';
import { sessionView, type SignedInAgent } from './session-view.ts';

type Operation = typeof sessionOperations.createAgentSession;
type Started = SessionStarted<Output<Operation>>;
type Body = Input<Operation>['body'];

/** Starts a session of the owner of an agent, for a key or for a challenge that the agent's proven wallet signed. */
export async function createAgentSession(ctx: Context<PublicCaller>, { body }: Input<Operation>): Promise<Started> {
  return body.api_key === undefined ? await byWallet(ctx, body) : await byKey(ctx, body.api_key);
}

async function byKey(ctx: Context<PublicCaller>, text: string): Promise<Started> {
  const { id: keyId, accountId: agentId, scope } = await requireKey(ctx, 'agent', text);
  return await withTransaction(ctx.db, async (tx) => {
    const { name } = await requireAgent(tx, agentId);
    return await start(ctx, tx, { agentId, name, scope: scope as KeyScope, keyId, wallet: null });
  });
}

async function byWallet(ctx: Context<PublicCaller>, { message = '', signature = '0x' }: Body): Promise<Started> {
  const challenge = await requireSignedChallenge(ctx, { purpose: 'agent', message, signature });
  const { address: wallet } = challenge;
  return await withTransaction(ctx.db, async (tx) => {
    await useChallenge(ctx, tx, 'agent', challenge);
    const owner = await findProvenOwner(tx, wallet);
    if (!owner) throw unknownOwner(wallet);
    return await start(ctx, tx, { ...owner, scope: 'owner', keyId: null, wallet });
  });
}

async function start(
  ctx: Context<PublicCaller>,
  tx: Tx,
  agent: SignedInAgent & { keyId: string | null; wallet: string | null },
): Promise<Started> {
  const { agentId, keyId, wallet } = agent;
  const { session, started } = await startSession(ctx, tx, { kind: 'agent', accountId: agentId, keyId, wallet });
  const how = { signed_in_with: wallet === null ? ('key' as const) : ('wallet' as const), key_id: keyId };
  await recordEvents(ctx, tx, session.createdAt, [{ agent: agentId, type: 'SESSION.STARTED', data: how }]);
  return new SessionStarted({ message: 'Signed in.', ...sessionView(agent, session, session.id) }, started);
}

/** Only the holder of the wallet gets this error, because the signature was right. */
function unknownOwner(address: string): DomainError {
  return new DomainError(
    'AGENT_NOT_FOUND',
    `No agent has proven the wallet ${address}. Sign in with a key, and link the wallet.`,
  );
}
