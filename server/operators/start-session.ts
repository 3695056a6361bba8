import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { OperatorScope } from '../../contract/basics/scope.ts';
import type { operatorSessionOperations } from '../../contract/operator/sessions.ts';
import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Context, Deps } from '../deps.ts';
import { insertSession, issueKey, sessionPrefix } from '../keys/public.ts';
import type { PublicCaller } from '../callers.ts';
import type { ProviderTokens, IdentityProvider } from './types.ts';
import { SessionStarted } from '../serve.ts';
import { sealTokens } from './sealed-tokens.ts';
import { holderOf } from './holder.ts';
import { OPERATOR_SESSION_SECONDS, operatorSessionEnd } from './session-times.ts';

type Operation = typeof operatorSessionOperations.createOperatorSession;
type Ctx = Context<PublicCaller>;
type Operator = {
  subject: string | null;
  name: string | null;
  scope: OperatorScope;
  tokens: ProviderTokens | null;
};

// Enough for all browsers of a person. The oldest session ends first.
const MAX_SESSIONS = 10;

/** Starts a session for OPERATOR_KEY, or for a person of the identity provider. */
export async function createOperatorSession(
  ctx: Ctx,
  { body }: Input<Operation>,
): Promise<SessionStarted<Output<Operation>>> {
  const operator = 'api_key' in body ? byKey(ctx, body.api_key) : await byProvider(ctx, body);
  const { subject, name, scope, tokens } = operator;
  const now = ctx.clock.now();
  const { key, id, secretHash } = issueKey(sessionPrefix('operator', ctx.network.testnet), ctx.randomBytes);
  const isConfirmed = tokens === null || tokens.refresh !== null;
  const session = {
    ...holderOf(subject),
    id,
    keyId: null,
    wallet: null,
    secretHash,
    createdAt: now,
    expiresAt: operatorSessionEnd({ createdAt: now, now, isConfirmed }),
    operator: {
      name,
      scope,
      settingsHash: ctx.operatorSessions.settingsHashOf(id, subject === null ? 'key' : 'provider'),
      tokens: tokens && sealTokens(ctx, id, tokens),
    },
  };
  await withTransaction(ctx.db, async (tx) => {
    await insertSession(tx, session, MAX_SESSIONS);
    if (subject === null) return;
    const actor = `operator:${name}` as const;
    const details = { provider_subject: subject, scope };
    await recordAudit(ctx, tx, { at: now, actor, action: 'operator.sign_in', subject: actor, details });
  });
  return new SessionStarted(
    { message: 'Signed in.', name, scope, session: { created_at: now, expires_at: session.expiresAt } },
    { kind: 'operator', token: key, maxAgeSeconds: OPERATOR_SESSION_SECONDS },
  );
}

/** The browser then forgets the key. */
function byKey(ctx: Ctx, key: string): Operator {
  const holder = ctx.operatorSessions.holderOf(key.trim());
  if (!holder) throw new DomainError('INVALID_API_KEY', 'Invalid API key');
  return { subject: null, name: null, scope: holder.scope, tokens: null };
}

async function byProvider(ctx: Ctx, { flow, answer }: { flow: string; answer: string }): Promise<Operator> {
  const provider = requireProvider(ctx);
  const { scope, ...person } = await provider.finish(flow, answer);
  if (scope !== null) return { ...person, scope };
  throw new DomainError(
    'KEY_SCOPE',
    `${provider.host} knows you as ${person.name}, but you may not operate this service. Ask for the right to read or to act.`,
  );
}

/** Returns the page of the identity provider that signs an operator in. */
export async function beginOperatorSignIn(
  ctx: Context<PublicCaller>,
): Promise<Output<typeof operatorSessionOperations.beginOperatorSignIn>> {
  return await requireProvider(ctx).begin();
}

/** @throws DomainError NOT_FOUND without OIDC_ISSUER */
function requireProvider({ identityProvider }: Pick<Deps, 'identityProvider'>): IdentityProvider {
  if (identityProvider) return identityProvider;
  throw new DomainError('NOT_FOUND', 'This service has no identity provider. Sign in with OPERATOR_KEY.');
}
