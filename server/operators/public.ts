// operators/ offers the authentication of operators by OPERATOR_KEY. The rest is private.

export { createOperatorAuthenticator, SHARED_CALLER } from './authenticate.ts';
