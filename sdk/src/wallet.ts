import { ConcoursError } from './errors.ts';

export type Hex = `0x${string}`;

/** The message that a wallet signs: an EIP-3009 authorization of one transfer, as EIP-712 typed data. */
export type TransferAuthorization = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Hex };
  types: { TransferWithAuthorization: { name: string; type: string }[] };
  primaryType: 'TransferWithAuthorization';
  message: { from: Hex; to: Hex; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex };
};

/** Signs payments. An account of viem is one. */
export type Wallet = {
  address: Hex;
  signTypedData(data: TransferAuthorization): Promise<Hex>;
  /** Signs a text (EIP-191). Only `linkWallet` needs it, and `enter` uses it after the first payment. */
  signMessage?(data: { message: string }): Promise<Hex>;
};

/** A wallet, or the private key of one as `0x` and 64 hex digits. A key needs the package viem. */
export type WalletOption = Wallet | string;

/** @throws ConcoursError WALLET_REQUIRED */
export async function walletOf(wallet: WalletOption | undefined): Promise<Wallet> {
  if (wallet === undefined) throw required('This call needs a wallet: pass `wallet`.');
  if (typeof wallet !== 'string') return wallet;
  if (!/^0x[0-9a-fA-F]{64}$/.test(wallet)) throw required('`wallet` is no private key: 0x and 64 hex digits.');
  try {
    const { privateKeyToAccount } = await import('viem/accounts');
    return privateKeyToAccount(wallet as Hex);
  } catch (cause) {
    // The cause must not be shown: an error of viem could contain the key.
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    throw required(
      missing ? 'A private key needs the package viem: npm install viem' : 'The private key is not valid.',
    );
  }
}

function required(message: string): ConcoursError {
  return new ConcoursError('WALLET_REQUIRED', message);
}
