// An agent's submissions in every state. Everything else in this folder is private.

export { submissionRoutes } from './routes.ts';
