import { z } from 'zod';
import { pageUrl, type Setting, text } from './setting.ts';

const list = text.transform((value) => value.split(',').map((each) => each.trim())).pipe(z.array(z.string().min(1)));

/** The identity provider of the operators. */
export const oidcSettings = {
  OIDC_ISSUER: {
    needs: ['OIDC_CLIENT_ID'],
    schema: pageUrl.optional(),
    default: 'off',
    doc: 'Identity provider of the operators (OpenID Connect): its issuer, as in its `/.well-known/openid-configuration`. Register PUBLIC_URL followed by `/operator` there, as redirect URI and as post-logout redirect URI.',
  },
  OIDC_CLIENT_ID: {
    needs: ['OIDC_ISSUER'],
    schema: text.optional(),
    doc: 'Client id at the provider. Required with OIDC_ISSUER.',
  },
  OIDC_CLIENT_SECRET: {
    secret: true,
    needs: ['OIDC_ISSUER'],
    schema: text.optional(),
    default: 'none: a public client',
    doc: 'Client secret at the provider.',
  },
  OIDC_SCOPES: {
    schema: text.default('openid profile email'),
    default: 'openid profile email',
    doc: 'Scopes that the service asks for. Some providers need `groups` for the claim of the rights, and `offline_access` for sessions of more than an hour.',
  },
  OIDC_RIGHTS_CLAIM: {
    schema: text.default('groups'),
    default: 'groups',
    doc: 'Claim that holds the groups or roles of a person.',
  },
  OIDC_ACT: {
    needs: ['OIDC_ISSUER'],
    schema: list.optional(),
    doc: 'Comma-separated values of that claim that give the right to read and to act.',
  },
  OIDC_READ: {
    needs: ['OIDC_ISSUER'],
    schema: list.optional(),
    doc: 'Comma-separated values of that claim that give the right to read.',
  },
} satisfies Record<string, Setting>;

type Values = { [Key in keyof typeof oidcSettings]: z.output<(typeof oidcSettings)[Key]['schema']> };

/** Returns the settings of the identity provider; null without one. */
export function oidcOf(values: Values) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined || clientId === undefined) return null;
  const { OIDC_SCOPES: scopes, OIDC_RIGHTS_CLAIM: claim, OIDC_ACT: act = [], OIDC_READ: read = [] } = values;
  return { issuer, clientId, clientSecret, scopes, claim, act, read };
}

/** A provider whose claims give nobody a right. */
export function oidcProblems({ OIDC_ISSUER: issuer, OIDC_ACT: act, OIDC_READ: read }: Values): string[] {
  if (issuer === undefined || act || read) return [];
  return ['OIDC_ACT: missing beside OIDC_ISSUER, as is OIDC_READ: nobody could sign in'];
}
