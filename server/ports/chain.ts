/** An EIP-3009 transfer that is looked for on chain. Addresses and nonce are lower case, the nonce 0x-prefixed 32 bytes. */
export type AuthorizationQuery = {
  payer: string;
  nonce: string;
  payTo: string;
  amountMicro: number;
  validBefore: number;
  /** The first block in which the authorization can have been used. */
  fromBlock: number;
};

/** The proof of a payment. A transaction can carry several, so it is the transaction and the log of the Transfer. */
export type PaidTransfer = { state: 'paid'; txHash: string; logIndex: number; blockNumber: number };

/**
 * What the chain knows of one authorization.
 * - `paid`: AuthorizationUsed followed in the same receipt by the matching Transfer.
 * - `open`: unused and still spendable.
 * - `void`: its nonce went elsewhere, proven by an event (cancelled, or spent on another transfer); only a reorganised chain could still pay.
 * - `dead`: it can never pay: unused and past `validBefore`, or void, as of a block that stays.
 * - `foreign`: used, but no event says by what. Never guess.
 */
export type AuthorizationState =
  | PaidTransfer
  | { state: 'open' }
  | { state: 'void' }
  | { state: 'dead' }
  | { state: 'foreign' };

/** What one transaction did: `none` when the chain does not know it or it holds no matching transfer. */
export type TransactionOutcome = PaidTransfer | { state: 'reverted' } | { state: 'none' };

export type ChainTransfer = {
  txHash: string;
  logIndex: number;
  blockNumber: number;
  from: string;
  to: string;
  amountMicro: number;
};

/** A text with a signature that is to be one of this address: EIP-191, the signature 0x-prefixed hex. */
export type SignedMessage = { address: string; message: string; signature: string };

/** Every method throws ChainUnavailable when the node can't answer. */
export type Chain = {
  chainId: number;
  authorization(query: AuthorizationQuery): Promise<AuthorizationState>;
  /** The cheap question after a settlement that named its transaction: is this payment in it? */
  transaction(txHash: string, query: AuthorizationQuery): Promise<TransactionOutcome>;
  /** USDC of an address in microdollars, at a block or now. */
  balanceMicro(address: string, block?: number): Promise<number>;
  blockNumber(): Promise<number>;
  /** A block from which to search for a payment that is presented now: old enough for one that has already moved. */
  searchStart(): Promise<number>;
  /** The newest block that is not expected to be reorganised. */
  finalBlock(): Promise<number>;
  /** Every USDC transfer to or from an address in the blocks named, both ends included, each once, in the order of the chain. */
  transfersOf(address: string, fromBlock: number, toBlock: number): Promise<ChainTransfer[]>;
  /** Whether the address signed this: by its key, or as its contract says, deployed or not yet (ERC-1271, ERC-6492). */
  verifyMessage(signed: SignedMessage): Promise<boolean>;
  /** Throws unless the node answers for the right chain and knows USDC there; for the start and /readyz. */
  check(): Promise<void>;
};

/** The node did not answer: nothing is known. */
export class ChainUnavailable extends Error {
  constructor(cause?: unknown) {
    super('the chain did not answer', { cause });
    this.name = 'ChainUnavailable';
  }
}

/** USDC on chain, cached: null when it was never read, `stale` when the chain does not answer now. */
export type Balances = {
  balance(address: string): Promise<{ balanceMicro: number | null; stale: boolean }>;
  /** After money moved. */
  drop(address: string): void;
};

/** A payment network that the service can run on. One per deployment, stored on every payment. */
export type Network = {
  /** CAIP-2, as x402 v2 names it. */
  id: `eip155:${number}`;
  chainId: number;
  /** As x402 v1 names it. */
  v1Name: string;
  testnet: boolean;
  /** `name` and `version` are those of the token's EIP-712 domain: a payer signs them. */
  usdc: { address: `0x${string}`; name: string; version: string; decimals: 6 };
};
