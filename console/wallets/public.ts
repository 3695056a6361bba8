/**
 * Wallets of this browser (EIP-6963 and EIP-1193): the picker, connecting, signing, and switching the chain.
 */
export { NoWallet, useOfferedWallets, WalletPicker } from './wallet-picker.tsx';
export {
  connect,
  connectAll,
  signMessage,
  signTypedData,
  switchChain,
  type TypedData,
  type Wallet,
  WalletError,
} from './wallets.ts';
