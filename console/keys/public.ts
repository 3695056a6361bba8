/**
 * The page of API keys, which owners of agents and posters share.
 */
export { isGood, type KeyedAccount } from './account.ts';
export { KeysPage } from './keys-page.tsx';
