import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { type PausableServer, startHttp } from '../servers/http-server.ts';

export const CLIENT = { client_id: 'concours', client_secret: 'the-secret-of-the-client-of-the-service' };

export type TestProvider = {
  issuer: string;
  /** The claims of each person. A test changes them. */
  people: Record<string, Record<string, unknown>>;
  /** Who signs in next. */
  person: string;
  givesRefreshTokens: boolean;
  /** Changes the claims of the next ID tokens, which the provider signs as before. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | null;
  /** Signs with a key that the provider does not publish. */
  forges: boolean;
  /** Follows the page of a sign-in to the address that the provider sends the browser to. */
  visit(url: string): Promise<URL>;
} & Pick<PausableServer, 'pause' | 'resume'>;

/** Starts oidc-provider on this machine. Nobody is asked for a password: `person` is signed in. */
export async function startIdentityProvider(page: string): Promise<TestProvider> {
  let answer: ReturnType<Provider['callback']> = async () => {};
  const { url: issuer, pause, resume } = await startHttp((request, response) => void answer(request, response));
  const [ours, strange] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')];
  const test: TestProvider = {
    issuer,
    people: {},
    person: 'ada',
    givesRefreshTokens: true,
    tamper: null,
    forges: false,
    visit: (url) => visit(url, page),
    pause,
    resume,
  };
  const provider = await createProvider(test, { page, jwk: { ...(await exportJWK(ours.privateKey)), kid: 'ours' } });
  provider.use(async (ctx, next) => {
    await next();
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path !== '/token' || !body?.id_token || (!test.tamper && !test.forges)) return;
    body.id_token = await signedAgain(body.id_token, {
      tamper: test.tamper ?? ((claims) => claims),
      key: test.forges ? strange.privateKey : ours.privateKey,
    });
  });
  answer = provider.callback();
  return test;
}

async function createProvider(test: TestProvider, { page, jwk }: { page: string; jwk: object }): Promise<Provider> {
  const provider = new Provider(test.issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [page],
        post_logout_redirect_uris: [page],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...jwk, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the cookies of a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...test.people[id] }) }),
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: () => test.givesRefreshTokens,
    pkce: { required: () => true },
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return await next();
    const result = { login: { accountId: test.person } };
    await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
    ctx.respond = false;
  });
  return provider;
}

/** Follows redirects as a browser that has never been there does. */
async function visit(url: string, page: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(url);
  for (let hops = 0; hops < 10; hops += 1) {
    if (at.href.startsWith(page)) return at;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      cookies.set(name, pair.slice(pair.indexOf('=') + 1));
    }
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`${at.href} answered ${answer.status}: ${await answer.text()}`);
    at = new URL(next, at);
  }
  throw new Error('the sign-in has no end');
}

type Signed = { tamper: NonNullable<TestProvider['tamper']>; key: CryptoKey };

async function signedAgain(token: string, { tamper, key }: Signed): Promise<string> {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  return await new SignJWT(tamper(claims)).setProtectedHeader({ alg: 'RS256', kid: 'ours' }).sign(key);
}
