/** The sign-in pages of the areas: with a wallet, or with a key. */
export { SignIn } from './sign-in.tsx';
export { WalletOrKey } from './wallet-or-key.tsx';
