import { DomainError } from '../../contract/basics/errors.ts';
import type { Output } from '../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../contract/operator/sessions.ts';
import type { Context, Deps } from '../deps.ts';
import type { PublicCaller } from '../callers.ts';
import type { IdentityProvider } from './types.ts';

/** Returns the page of the identity provider that signs an operator in. */
export async function beginOperatorSignIn(
  ctx: Context<PublicCaller>,
): Promise<Output<typeof operatorSessionOperations.beginOperatorSignIn>> {
  return await requireProvider(ctx).begin();
}

/** @throws DomainError NOT_FOUND without OIDC_ISSUER */
export function requireProvider({ identityProvider }: Pick<Deps, 'identityProvider'>): IdentityProvider {
  if (identityProvider) return identityProvider;
  throw new DomainError('NOT_FOUND', 'This service has no identity provider. Sign in with OPERATOR_KEY.');
}
