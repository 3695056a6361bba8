// operators/ offers how operators sign in: their operations, authentication by cookie and by OPERATOR_KEY, and the client of
// the identity provider. The rest is private.

export { createOperatorSessionAuthenticator } from './authenticate-session.ts';
export { createIdentityProvider } from './provider.ts';
