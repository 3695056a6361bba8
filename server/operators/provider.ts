import * as oidc from 'openid-client';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import type { FoundPerson, IdentityProvider } from './types.ts';
import { type Claims, nameOf, scopeOfClaims } from './claims.ts';
import { createConnection, isDown, type OidcSettings, unavailable } from './connection.ts';

type ProviderDeps = Pick<Deps, 'config' | 'clock' | 'publicUrl' | 'answerSeals' | 'log'>;
type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;
type Parts = ProviderDeps & {
  settings: OidcSettings;
  host: string;
  /** Where the provider sends the browser back to. */
  page: string;
  connect: () => Promise<oidc.Configuration>;
};

/** What finishes a sign-in, for 10 minutes. The browser keeps it sealed. */
type Flow = { state: string; nonce: string; verifier: string; until: number };
const FLOW_MS = 600_000;

/** Creates the client of the identity provider that OIDC_ISSUER names; null without one. It connects at the first use. */
export function createIdentityProvider(deps: ProviderDeps): IdentityProvider | null {
  const settings = deps.config.oidc;
  if (settings === null) return null;
  const { host } = new URL(settings.issuer);
  const connect = createConnection(settings, deps.clock);
  const parts = { ...deps, settings, host, page: `${deps.publicUrl}/operator`, connect };
  return {
    host,
    settings: JSON.stringify(settings),
    begin: async () => await begin(parts),
    finish: async (flow, answer) => await finish(parts, flow, answer),
    confirm: async (person) => await confirm(parts, person),
    signOutUrl: async (idToken) => await signOutUrl(parts, idToken),
  };
}

async function begin(parts: Parts): Promise<{ url: string; flow: string }> {
  const { settings, page, clock } = parts;
  const found = await parts.connect();
  const flow: Flow = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    until: clock.now().getTime() + FLOW_MS,
  };
  const url = oidc.buildAuthorizationUrl(found, {
    redirect_uri: page,
    scope: settings.scopes,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, flow: sealOf(parts).seal(JSON.stringify(flow)).toString('base64url') };
}

async function finish(parts: Parts, sealed: string, answer: string): Promise<FoundPerson> {
  const { host, page, clock, settings } = parts;
  const flow = openFlow(parts, sealed);
  if (flow === null || flow.until <= clock.now().getTime()) throw refused('This sign-in has expired. Start it again.');
  const found = await parts.connect();
  try {
    const tokens = await oidc.authorizationCodeGrant(found, new URL(`?${answer.replace(/^\?/, '')}`, page), {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    });
    return await personOf(parts, found, tokens);
  } catch (error) {
    if (isDown(error)) throw unavailable(settings, error);
    if (error instanceof oidc.AuthorizationResponseError)
      throw refused(`${host} did not sign you in: ${error.error_description ?? error.error}.`);
    throw refused(`The answer of ${host} is not valid. Start the sign-in again.`, error);
  }
}

async function confirm(
  parts: Parts,
  { subject, refresh }: { subject: string; refresh: string },
): Promise<FoundPerson | 'ended' | 'unknown'> {
  try {
    const found = await parts.connect();
    return await personOf(parts, found, await oidc.refreshTokenGrant(found, refresh), subject);
  } catch (error) {
    // The person signed out there, was blocked, or left.
    if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return 'ended';
    parts.log.warn({ err: error }, 'the identity provider did not confirm an operator; the session goes on');
    return 'unknown';
  }
}

/** The session of the service ends whether the provider answers or not. */
async function signOutUrl(parts: Parts, idToken: string | null): Promise<string | null> {
  try {
    const found = await parts.connect();
    if (found.serverMetadata().end_session_endpoint === undefined) return null;
    const hint = idToken === null ? {} : { id_token_hint: idToken };
    return oidc.buildEndSessionUrl(found, { post_logout_redirect_uri: parts.page, ...hint }).href;
  } catch {
    return null;
  }
}

async function personOf(
  { settings }: Parts,
  found: oidc.Configuration,
  tokens: Tokens,
  subject?: string,
): Promise<FoundPerson> {
  const claims = await claimsOf(found, tokens, { claim: settings.claim, subject });
  return {
    subject: claims.sub,
    name: nameOf(claims),
    scope: scopeOfClaims(claims, settings),
    tokens: { refresh: tokens.refresh_token ?? null, id: tokens.id_token ?? null },
  };
}

/** The claims of the ID token. Many providers tell groups and addresses only at their userinfo endpoint. */
async function claimsOf(
  found: oidc.Configuration,
  tokens: Tokens,
  { claim, subject }: { claim: string; subject: string | undefined },
): Promise<Claims> {
  const claims = tokens.claims();
  const sub = subject ?? claims?.sub ?? '';
  if (claims !== undefined && claims.sub !== sub) throw new Error('the provider confirmed another person');
  const isComplete = claims?.[claim] !== undefined && claims['email'] !== undefined;
  if (isComplete || found.serverMetadata().userinfo_endpoint === undefined) return { ...claims, sub };
  return { ...claims, ...(await oidc.fetchUserInfo(found, tokens.access_token, sub)), sub };
}

function sealOf({ answerSeals, settings }: Parts) {
  return answerSeals.of('sign-in of an operator', settings.issuer);
}

function openFlow(parts: Parts, sealed: string): Flow | null {
  try {
    return JSON.parse(sealOf(parts).open(Buffer.from(sealed, 'base64url'))) as Flow;
  } catch {
    return null;
  }
}

function refused(message: string, cause?: unknown): DomainError {
  return new DomainError('UNAUTHORIZED', message, { cause });
}
