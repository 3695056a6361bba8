/**
 * Pages that change the agent: webhook, keys, wallet, settings.
 */
export { settingsRoutes } from './routes.ts';
