import {
  ChainUnavailable,
  type AuthorizationQuery,
  type AuthorizationState,
  type Chain,
} from '../../server/chain/types.ts';
import type { ChainTransfer, PaidTransfer, TransactionOutcome } from '../../server/chain/types.ts';

/** An EIP-3009 transfer as its payer signed it. Addresses and nonce are lowercase, times are Unix seconds. */
export type Authorization = {
  from: string;
  to: string;
  valueMicro: number;
  validAfter: number;
  validBefore: number;
  nonce: string;
};

type Work =
  | { kind: 'authorized'; authorization: Authorization }
  /** Several authorizations in one transaction. One that fails moves nothing. `outOfGas`: all of them fail. */
  | { kind: 'batch'; authorizations: Authorization[]; outOfGas: boolean }
  | { kind: 'cancel'; from: string; nonce: string }
  | { kind: 'transfer'; from: string; to: string; valueMicro: number };
type SingleWork = Exclude<Work, { kind: 'batch' }>;
export type Tx = { hash: string; work: Work };

type Log = { txHash: string; logIndex: number; blockNumber: number } & (
  | { event: 'used' | 'canceled'; authorizer: string; nonce: string }
  | { event: 'transfer'; from: string; to: string; amountMicro: number }
);
type Receipt = { blockNumber: number; reverted: boolean; logs: Log[] };

/** The fate of a waiting transaction when a block is mined. */
export type MiningFate = 'mined' | 'delayed' | 'dropped' | 'twice';

/** An executed transfer with its authorization. */
export type Moved = ChainTransfer & { nonce: string | null };

export const place = (txHash: string | null, logIndex: number | null) => `${txHash}:${logIndex}`;

const BLOCK_SECONDS = 2;
// Blocks less deep than this can still be reorganized, as far as the service knows.
const SAFE_DEPTH = 60;
const LOOKBACK_BLOCKS = 1800;

export type ChainModel = ReturnType<typeof createChainModel>;

/**
 * Creates an in-memory chain with one token and its own time: one block every 2 s, also if it is empty. Broadcast
 * transactions wait until `mine` decides their fate.
 */
export function createChainModel(time: { trueMs: number }, chainId: number) {
  const genesisSeconds = Math.floor(time.trueMs / 1000) - 2 * 3600;
  const minted = new Map<string, number>();
  const signatures = new Map<string, string>();
  const receipts = new Map<string, Receipt>();
  const nonces = new Map<string, Log[]>();
  const moved: Moved[] = [];
  const mined: (Tx & { blockNumber: number })[] = [];
  /** The transactions that a reorganization took back once. */
  const takenBack = new Set<string>();
  /** The transfers of blocks that a reorganization took back. Their places can come again, also with other transfers. */
  const undone: Moved[] = [];
  const mempool: Tx[] = [];
  const dropped: Tx[] = [];
  /** How many batches of each size were mined. */
  const batchSizes = new Map<number, number>();
  let hashes = 0;
  /** The number of blocks by which the answering node lags behind. */
  const node = { lagBlocks: 0 };

  const headAt = () => Math.floor((time.trueMs / 1000 - genesisSeconds) / BLOCK_SECONDS);
  const timestampOf = (block: number) => genesisSeconds + block * BLOCK_SECONDS;
  const visible = () => headAt() - node.lagBlocks;
  const finalBlock = () => Math.min(headAt() - SAFE_DEPTH, visible());
  const nonceKey = (authorizer: string, nonce: string) => `${authorizer}:${nonce}`;
  const newHash = () => `0x${(hashes += 1).toString(16).padStart(64, '0')}`;

  function balance(address: string, block = headAt()): number {
    let sum = minted.get(address) ?? 0;
    for (const { from, to, amountMicro, blockNumber } of moved) {
      if (blockNumber > block) continue;
      if (from === address) sum -= amountMicro;
      if (to === address) sum += amountMicro;
    }
    return sum;
  }

  function execute(hash: string, work: SingleWork, block: number, firstLog: number): Receipt {
    const at = { txHash: hash, blockNumber: block };
    const reverted: Receipt = { blockNumber: block, reverted: true, logs: [] };
    const done = (logs: Log[]): Receipt => ({ blockNumber: block, reverted: false, logs });
    if (work.kind === 'cancel') {
      if (nonces.has(nonceKey(work.from, work.nonce))) return reverted;
      return done([{ ...at, logIndex: firstLog, event: 'canceled', authorizer: work.from, nonce: work.nonce }]);
    }
    if (work.kind === 'transfer') {
      if (balance(work.from) < work.valueMicro) return reverted;
      const { from, to, valueMicro: amountMicro } = work;
      return done([{ ...at, logIndex: firstLog, event: 'transfer', from, to, amountMicro }]);
    }
    const { from, to, nonce, valueMicro: amountMicro, validAfter, validBefore } = work.authorization;
    const now = timestampOf(block);
    if (now <= validAfter || now >= validBefore || nonces.has(nonceKey(from, nonce)) || balance(from) < amountMicro)
      return reverted;
    return done([
      { ...at, logIndex: firstLog, event: 'used', authorizer: from, nonce },
      { ...at, logIndex: firstLog + 1, event: 'transfer', from, to, amountMicro },
    ]);
  }

  /** Executes one transaction and returns its receipt. The calls of a batch follow one another on the same balances. */
  function run({ hash, work }: Tx, block: number, firstLog: number): Receipt {
    const singles: SingleWork[] =
      work.kind === 'batch' ? work.authorizations.map((each) => ({ kind: 'authorized', authorization: each })) : [work];
    const whole: Receipt = { blockNumber: block, reverted: work.kind === 'batch' && work.outOfGas, logs: [] };
    for (const single of whole.reverted ? [] : singles) {
      const receipt = execute(hash, single, block, firstLog + whole.logs.length);
      record(single, receipt);
      whole.logs.push(...receipt.logs);
      if (work.kind !== 'batch') whole.reverted = receipt.reverted;
    }
    if (work.kind === 'batch') batchSizes.set(singles.length, (batchSizes.get(singles.length) ?? 0) + 1);
    receipts.set(hash, whole);
    mined.push({ hash, work, blockNumber: block });
    return whole;
  }

  /** Takes the newest blocks back. Empty ones replace them. Their transactions wait for a block again, or are dropped. */
  function reorganize(depth: number, isDropped: (tx: Tx) => boolean): void {
    const isTaken = ({ blockNumber }: { blockNumber: number }) => blockNumber > headAt() - depth;
    const gone = mined.filter(isTaken);
    mined.splice(0, mined.length, ...mined.filter((tx) => !isTaken(tx)));
    undone.push(...moved.filter(isTaken));
    moved.splice(0, moved.length, ...moved.filter((transfer) => !isTaken(transfer)));
    for (const [key, logs] of nonces) if (logs.some(isTaken)) nonces.delete(key);
    for (const { hash, work } of gone) {
      receipts.delete(hash);
      takenBack.add(hash);
      (isDropped({ hash, work }) ? dropped : mempool).push({ hash, work });
    }
  }

  function record(work: SingleWork, receipt: Receipt): void {
    const nonce = work.kind === 'authorized' ? work.authorization.nonce : null;
    for (const log of receipt.logs) {
      if (log.event !== 'transfer') nonces.set(nonceKey(log.authorizer, log.nonce), receipt.logs);
      else {
        const { txHash, logIndex, blockNumber, from, to, amountMicro } = log;
        moved.push({ txHash, logIndex, blockNumber, from, to, amountMicro, nonce });
      }
    }
  }

  function paidBy(logs: Log[], query: AuthorizationQuery): PaidTransfer | null {
    const index = logs.findIndex(
      (log) => log.event === 'used' && log.authorizer === query.payer && log.nonce === query.nonce,
    );
    if (index === -1) return null;
    const transfer = logs[index + 1];
    if (transfer?.event !== 'transfer' || transfer.to !== query.payTo || transfer.amountMicro !== query.amountMicro)
      return null;
    const { txHash, logIndex, blockNumber } = transfer;
    return { state: 'paid', txHash, logIndex, blockNumber };
  }

  function authorization(query: AuthorizationQuery): AuthorizationState {
    const logs = nonces.get(nonceKey(query.payer, query.nonce)) ?? [];
    const [event] = logs;
    if (!event || event.blockNumber > visible())
      return timestampOf(finalBlock()) < query.validBefore ? { state: 'open' } : { state: 'dead' };
    if (event.blockNumber < query.fromBlock) return { state: 'foreign' };
    return paidBy(logs, query) ?? { state: event.blockNumber <= finalBlock() ? 'dead' : 'void' };
  }

  function transaction(txHash: string, query: AuthorizationQuery): TransactionOutcome {
    const receipt = receipts.get(txHash);
    if (!receipt || receipt.blockNumber > visible()) return { state: 'none' };
    if (receipt.reverted) return { state: 'reverted' };
    return paidBy(receipt.logs, query) ?? { state: 'none' };
  }

  /** The chain port, with the answers of that node. */
  const chain: Chain = {
    chainId,
    authorization: async (query) => authorization(query),
    transaction: async (txHash, query) => transaction(txHash, query),
    balanceMicro: async (address, block) => balance(address, Math.min(block ?? Infinity, visible())),
    blockNumber: async () => visible(),
    searchStart: async () => Math.max(0, visible() - LOOKBACK_BLOCKS),
    finalBlock: async () => finalBlock(),
    transfersOf: async (address, from, to) => {
      if (to > visible()) throw new ChainUnavailable();
      return moved
        .filter((transfer) => [transfer.from, transfer.to].includes(address))
        .filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to)
        .map(({ nonce: _nonce, ...transfer }) => transfer);
    },
    authorizationsIn: async (txHash) =>
      moved
        .filter((transfer) => transfer.txHash === txHash)
        .flatMap(({ from, nonce, logIndex }) => (nonce ? [{ logIndex, payer: from, nonce, sender: from }] : [])),
    verifyMessage: async ({ address, message, signature }) => signatures.get(signature) === `${address} ${message}`,
    silentMs: () => 0,
    check: async () => {},
  };

  function sign(text: string): string {
    const signature = `0x${(signatures.size + 1).toString(16).padStart(130, '0')}`;
    signatures.set(signature, text);
    return signature;
  }

  function add(work: Work): string {
    const tx = { hash: newHash(), work };
    mempool.push(tx);
    return tx.hash;
  }

  return {
    chain,
    node,
    mempool,
    dropped,
    moved,
    undone,
    takenBack,
    reorganize,
    batchSizes,
    balance,
    head: headAt,
    mint: (address: string, micro: number) => void minted.set(address, (minted.get(address) ?? 0) + micro),
    mintedMicro: (address: string) => minted.get(address) ?? 0,
    isUsed: (payer: string, nonce: string) => nonces.has(nonceKey(payer, nonce)),
    /** Signs an authorization. `isSigned` accepts only signatures from here. */
    signAuthorization: (wanted: Authorization) => sign(JSON.stringify(wanted)),
    isSigned: (wanted: Authorization, signature: string) => signatures.get(signature) === JSON.stringify(wanted),
    signMessage: (address: string, message: string) => sign(`${address} ${message}`),
    broadcast: (signed: Authorization) => add({ kind: 'authorized', authorization: signed }),
    broadcastBatch: (authorizations: Authorization[], outOfGas = false) =>
      add({ kind: 'batch', authorizations, outOfGas }),
    cancel: (from: string, nonce: string) => add({ kind: 'cancel', from, nonce }),
    transfer: (from: string, to: string, valueMicro: number) => add({ kind: 'transfer', from, to, valueMicro }),
    /** Mines a block with the transactions that `fate` admits, in the order of `rank`. Time moves with it. */
    mine(fate: (tx: Tx) => MiningFate = () => 'mined', rank: (tx: Tx) => number = () => 0): void {
      time.trueMs += BLOCK_SECONDS * 1000;
      const waiting = mempool.splice(0).toSorted((a, b) => rank(a) - rank(b) || (a.hash < b.hash ? -1 : 1));
      let logs = 0;
      for (const tx of waiting) {
        const what = fate(tx);
        if (what === 'delayed') mempool.push(tx);
        if (what === 'dropped') dropped.push(tx);
        if (what === 'delayed' || what === 'dropped') continue;
        for (const copy of what === 'twice' ? [tx, { ...tx, hash: newHash() }] : [tx]) {
          logs += run(copy, headAt(), logs).logs.length;
        }
      }
    },
    /** Returns the dropped transactions to the mempool. */
    rebroadcast: () => void mempool.push(...dropped.splice(0)),
    receipt: (hash: string) => receipts.get(hash) ?? null,
  };
}
