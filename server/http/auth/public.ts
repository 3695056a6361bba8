// Identifies callers by key or session: the public interface of http/auth/.

export { metricsAuthenticator } from './metrics-key.ts';
export { requireRight } from './rights.ts';
export { createAuthenticate, type Authenticate, type Authenticators } from './auth.ts';
export { createSessions, type Sessions } from './sessions.ts';
