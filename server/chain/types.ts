/** An EIP-3009 transfer to find on chain. Addresses and nonce are lower case; the nonce is 32 bytes with 0x. */
export type AuthorizationQuery = {
  payer: string;
  nonce: string;
  payTo: string;
  amountMicro: number;
  validBefore: number;
  /** The first block in which the authorization can have been used. */
  fromBlock: number;
};

/**
 * The proof of a payment: the transaction and the log index of its Transfer, because a transaction can hold several.
 */
export type PaidTransfer = { state: 'paid'; txHash: string; logIndex: number; blockNumber: number };

/**
 * The state of one authorization on chain.
 * - `paid`: AuthorizationUsed followed in the same receipt by the matching Transfer.
 * - `open`: unused and still spendable.
 * - `void`: an event proves that its nonce was canceled or spent on another transfer; only a reorganized chain could still pay.
 * - `dead`: it can never pay: as of a final block, it is void, or unused and past `validBefore`.
 * - `foreign`: used, but no event shows by which transfer. Never guess.
 */
export type AuthorizationState =
  | PaidTransfer
  | { state: 'open' }
  | { state: 'void' }
  | { state: 'dead' }
  | { state: 'foreign' };

/** The outcome of one transaction. `none`: the chain does not know it, or it holds no matching transfer. */
export type TransactionOutcome = PaidTransfer | { state: 'reverted' } | { state: 'none' };

export type ChainTransfer = {
  txHash: string;
  logIndex: number;
  blockNumber: number;
  from: string;
  to: string;
  amountMicro: number;
};

/**
 * The authorization that made a transfer. `sender` sent it to USDC, alone or in a batch. Null: another contract did, such as
 * the constructor of a wallet, with an authorization that the sender of the transaction need not know.
 */
export type UsedAuthorization = { logIndex: number; payer: string; nonce: string; sender: string | null };

/** A text with an EIP-191 signature (hex with 0x) that claims to be from this address. */
export type SignedMessage = { address: string; message: string; signature: string };

/** Every method throws ChainUnavailable when the node cannot answer. */
export type Chain = {
  chainId: number;
  authorization(query: AuthorizationQuery): Promise<AuthorizationState>;
  /** Checks whether a transaction holds this payment: the cheap check when a settlement names its transaction. */
  transaction(txHash: string, query: AuthorizationQuery): Promise<TransactionOutcome>;
  /** Returns the USDC of an address in microdollars, at a block or now. */
  balanceMicro(address: string, block?: number): Promise<number>;
  /** Returns those of the addresses to which USDC refuses every transfer. Absent: it is not known. */
  refusedOf?(addresses: string[]): Promise<ReadonlySet<string>>;
  /** Returns the contract to which an account delegates (EIP-7702); null for any other. Absent: it is not known. */
  delegateOf?(address: string): Promise<string | null>;
  blockNumber(): Promise<number>;
  /**
   * Returns the first block to search for a payment that is presented now, early enough for one that has already moved.
   */
  searchStart(): Promise<number>;
  /** Returns the newest block that the chain is not expected to reorganize. */
  finalBlock(): Promise<number>;
  /** Returns every USDC transfer to or from an address between two blocks, inclusive, in the order of the chain. */
  transfersOf(address: string, fromBlock: number, toBlock: number): Promise<ChainTransfer[]>;
  /** Returns the authorization of each USDC transfer in a transaction. Plain transfers have none. */
  authorizationsIn(txHash: string): Promise<UsedAuthorization[]>;
  /** Returns whether the address signed the text, by key or by contract (ERC-1271; ERC-6492 before deployment). */
  verifyMessage(signed: SignedMessage): Promise<boolean>;
  /** Returns for how long the node has left requests of this process without an answer; 0 after an answer. */
  silentMs(): number;
  /** @throws ChainUnavailable unless the node answers the calls that money needs, for the right chain; NodeBehind */
  check(): Promise<void>;
};

/** The node did not answer, so nothing is known. */
export class ChainUnavailable extends Error {
  constructor(cause?: unknown) {
    super('the chain did not answer', { cause });
    this.name = 'ChainUnavailable';
  }
}

/** The newest block of the node is old: the node is behind, the network has halted, or the clock of this process is wrong. */
export class NodeBehind extends ChainUnavailable {}

/** Cached USDC balances. A balance is null until it was read once, and `stale` while the chain does not answer. */
export type Balances = {
  balance(address: string): Promise<{ balanceMicro: number | null; stale: boolean }>;
  /** Drops a cached balance after money has moved. */
  drop(address: string): void;
};

/** A payment network. A deployment has one, and every payment stores it. */
export type Network = {
  /** CAIP-2 id, which x402 v2 uses. */
  id: `eip155:${number}`;
  chainId: number;
  /** The name in x402 v1. */
  v1Name: string;
  testnet: boolean;
  /** `name` and `version` belong to the token's EIP-712 domain, which a payer signs. */
  usdc: { address: `0x${string}`; name: string; version: string; decimals: 6 };
};
