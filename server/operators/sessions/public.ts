// operators/sessions/ offers the browser sessions of operators: their operations, and authentication by cookie. The rest is
// private.

// HTTP operations: sign in, read and keep the session, sign out.
export { operatorSessionRoutes } from './routes.ts';

// Authentication by session cookie.
export { createOperatorSessionAuthenticator } from './authenticate-session.ts';
