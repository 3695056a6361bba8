import * as oidc from 'openid-client';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../clock.ts';

export type OidcSettings = NonNullable<Config['oidc']>;

const TIMEOUT_SECONDS = 10;
/** The clocks of the service and of the provider may differ by this. */
const TOLERANCE_SECONDS = 30;
/** The client reads the provider's keys again when an unknown one signs. The rest of its document rarely changes. */
const DOCUMENT_MS = 3_600_000;

/** Returns a function that reads the provider's document (discovery), and keeps it. @throws DomainError INTERNAL_ERROR (503) */
export function createConnection(settings: OidcSettings, clock: Clock): () => Promise<oidc.Configuration> {
  let kept: { at: number; found: Promise<oidc.Configuration> } | null = null;
  return async () => {
    const now = clock.now().getTime();
    if (kept === null || now - kept.at >= DOCUMENT_MS) kept = { at: now, found: discover(settings) };
    const { found } = kept;
    try {
      return await found;
    } catch (error) {
      if (kept.found === found) kept = null;
      throw unavailable(settings, error);
    }
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<oidc.Configuration> {
  const auth = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  const metadata = { [oidc.clockTolerance]: TOLERANCE_SECONDS };
  // Signatures are checked, although the ID token comes from the provider itself.
  const execute = [oidc.enableNonRepudiationChecks];
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated as a warning; production warns about http itself
  if (issuer.startsWith('http:')) execute.push(oidc.allowInsecureRequests);
  return await oidc.discovery(new URL(issuer), clientId, metadata, auth, { execute, timeout: TIMEOUT_SECONDS });
}

/** The provider did not answer, or failed. */
export function isDown(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'INTERNAL_ERROR';
  if (error instanceof TypeError) return true;
  if (!(error instanceof oidc.ClientError)) return false;
  const { code, cause } = error;
  return code === 'OAUTH_TIMEOUT' || (cause instanceof Response && cause.status >= 500);
}

/** The answer while the provider does not answer, or not as an identity provider does. */
export function unavailable({ issuer }: OidcSettings, cause: unknown): DomainError {
  const { host } = new URL(issuer);
  const message = isDown(cause)
    ? `${host} does not answer. Try again, or sign in with OPERATOR_KEY.`
    : `${host} does not answer as an identity provider. Check OIDC_ISSUER, or sign in with OPERATOR_KEY.`;
  return new DomainError('INTERNAL_ERROR', message, { status: 503, retryAfterSeconds: 10, cause });
}
