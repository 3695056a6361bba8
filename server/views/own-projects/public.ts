// views/own-projects/ offers a poster's own projects. The rest is private.

export { ownProjectRoutes } from './routes.ts';
