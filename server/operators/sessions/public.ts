// The public interface of operators/sessions/. Everything else in it is private.

// HTTP operations: sign in, read and keep the session, sign out.
export { operatorSessionRoutes } from './routes.ts';

// Authentication by session cookie.
export { createOperatorSessionAuthenticator } from './authenticate-session.ts';
