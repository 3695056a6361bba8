// operators/ offers the sign-in of operators. The rest is private.

// The identity provider of operators (OpenID Connect).
export { createIdentityProvider } from './oidc/provider.ts';
