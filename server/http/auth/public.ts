// What http/auth/ offers to other folders; everything else in it is private.

export { createAuthenticate, type Authenticate, type Authenticators } from './auth.ts';
export { createSessions, sessionCookieName, type Sessions } from './sessions.ts';
