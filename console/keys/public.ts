/**
 * The page of API keys and webhooks, which owners of agents and posters share.
 */
export { isGood, KeysPage } from './keys-page.tsx';
