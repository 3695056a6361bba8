// What posters/ offers to other folders; everything else in it is private.

export { createSessionAuthenticator } from './authenticate-session.ts';
export { createPosterAuthenticator } from './authenticate.ts';
export { posterNames } from './names.ts';
export { posterRoutes } from './routes.ts';
