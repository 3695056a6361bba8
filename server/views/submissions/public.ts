// views/submissions/ offers an agent's submissions in every state. The rest is private.

export { submissionRoutes } from './routes.ts';
