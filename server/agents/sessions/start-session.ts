import type { agentSessionOperations } from '../../../contract/agents/sessions.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import {
  issueKey,
  keyPrefix,
  parseKey,
  requireSignedChallenge,
  sameHash,
  SESSION_SECONDS,
  sessionEnd,
  unknownChallenge,
} from '../../keys/public.ts';
import type { PublicCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';
import { SessionStarted } from '../../serve.ts';
import { findKeyHolders } from '../accounts/public.ts';
import { findAgentName, findChallenge, findProvenOwner, insertSession, useChallenge } from './session-queries.ts';
import { sessionView, type SignedInAgent } from './session-view.ts';

type Operation = typeof agentSessionOperations.createAgentSession;
type Started = SessionStarted<Output<Operation>>;
type Body = Input<Operation>['body'];

// Enough for all browsers of an owner. The oldest session ends first.
const MAX_SESSIONS_PER_AGENT = 20;

const CHALLENGE_PATH = '/agents/session/challenge';

/** Starts a session of the owner of an agent, for a key or for a challenge that the agent's proven wallet signed. */
export async function createAgentSession(ctx: Context<PublicCaller>, { body }: Input<Operation>): Promise<Started> {
  return body.api_key === undefined ? await byWallet(ctx, body) : await byKey(ctx, body.api_key);
}

async function byKey(ctx: Context<PublicCaller>, text: string): Promise<Started> {
  const key = parseKey(text);
  const isAgentKey = key?.prefix === keyPrefix('agent', ctx.network.testnet);
  const stored = isAgentKey ? (await findKeyHolders(ctx.db, [key.id])).get(key.id) : undefined;
  const isOver = stored?.expiresAt && stored.expiresAt <= ctx.clock.now();
  if (!key || !stored || isOver || !sameHash(stored.secretHash, key.secretHash))
    throw new DomainError('INVALID_API_KEY', 'Invalid API key');
  const { agentId, scope } = stored.caller;
  return await withTransaction(ctx.db, async (tx) => {
    const name = await findAgentName(tx, agentId);
    return await start(ctx, tx, { agentId, name, scope, keyId: key.id, wallet: null });
  });
}

async function byWallet(ctx: Context<PublicCaller>, body: Body): Promise<Started> {
  const { address, nonce, expiresAt } = await requireSignedChallenge(ctx, {
    message: body.message ?? '',
    signature: body.signature ?? '0x',
    find: (given) => findChallenge(ctx.db, given),
    path: CHALLENGE_PATH,
  });
  return await withTransaction(ctx.db, async (tx) => {
    if (ctx.clock.now() >= expiresAt || !(await useChallenge(tx, nonce))) throw unknownChallenge(CHALLENGE_PATH);
    const owner = await findProvenOwner(tx, address);
    if (!owner) throw unknownOwner(address);
    return await start(ctx, tx, { ...owner, scope: 'owner', keyId: null, wallet: address });
  });
}

async function start(
  ctx: Context<PublicCaller>,
  tx: Tx,
  agent: SignedInAgent & { keyId: string | null; wallet: string | null },
): Promise<Started> {
  const now = ctx.clock.now();
  const { agentId, keyId, wallet } = agent;
  const expiresAt = sessionEnd({ createdAt: now, now });
  const { key, id, secretHash } = issueKey(keyPrefix('agentSession', ctx.network.testnet), ctx.randomBytes);
  const session = { id, agentId, keyId, wallet, secretHash, createdAt: now, expiresAt };
  await insertSession(tx, session, MAX_SESSIONS_PER_AGENT);
  const started = { signed_in_with: wallet === null ? ('key' as const) : ('wallet' as const), key_id: keyId };
  await recordEvents(ctx, tx, now, [{ agent: agentId, type: 'SESSION.STARTED', data: started }]);
  const data = { message: 'Signed in.', ...sessionView(agent, session, id) };
  return new SessionStarted(data, { kind: 'agent', token: key, maxAgeSeconds: SESSION_SECONDS });
}

/** Only the holder of the wallet gets this error, because the signature was right. */
function unknownOwner(address: string): DomainError {
  return new DomainError(
    'AGENT_NOT_FOUND',
    `No agent has proven the wallet ${address}. Sign in with a key, and link the wallet: PUT /agents/me/wallet.`,
  );
}
