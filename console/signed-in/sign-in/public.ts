/** The sign-in page of posters and owners: with a wallet, or with a key. */
export { WalletOrKey } from './wallet-or-key.tsx';
