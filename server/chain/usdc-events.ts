import { parseAbi, parseEventLogs, toEventSelector, type TransactionReceipt } from 'viem';
import type { AuthorizationQuery, PaidTransfer } from '../ports/chain.ts';

/** The part of the USDC contract (Circle's FiatTokenV2) that the service reads. */
export const usdcAbi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);

export const USED_TOPIC = toEventSelector('AuthorizationUsed(address,bytes32)');
export const CANCELED_TOPIC = toEventSelector('AuthorizationCanceled(address,bytes32)');
export const TRANSFER_TOPIC = toEventSelector('Transfer(address,address,uint256)');

/** Returns the proof of the payment in this receipt, or null. */
export function paidTransfer(
  receipt: TransactionReceipt,
  usdc: string,
  query: Parameters<typeof findAuthorizedTransfer>[2],
): PaidTransfer | null {
  const logIndex = findAuthorizedTransfer(receipt, usdc, query);
  if (logIndex === null) return null;
  const txHash = receipt.transactionHash.toLowerCase();
  return { state: 'paid', txHash, logIndex, blockNumber: Number(receipt.blockNumber) };
}

/**
 * Returns the log index of the transfer that this authorization made, or null.
 *
 * The transfer must be the contract's next event after AuthorizationUsed. In a batch, a later transfer of the same
 * payer belongs to another authorization.
 */
function findAuthorizedTransfer(
  receipt: Pick<TransactionReceipt, 'status' | 'logs'>,
  usdc: string,
  query: Pick<AuthorizationQuery, 'payer' | 'nonce' | 'payTo' | 'amountMicro'>,
): number | null {
  if (receipt.status !== 'success') return null;
  const logs = receipt.logs.filter((log) => log.address.toLowerCase() === usdc);
  const events = parseEventLogs({ abi: usdcAbi, logs, strict: true });
  for (const [index, event] of events.entries()) {
    if (event.eventName !== 'AuthorizationUsed') continue;
    if (event.args.authorizer.toLowerCase() !== query.payer || event.args.nonce.toLowerCase() !== query.nonce) continue;
    const next = events[index + 1];
    if (next?.eventName !== 'Transfer') return null;
    const { from, to, value } = next.args;
    const matches =
      from.toLowerCase() === query.payer && to.toLowerCase() === query.payTo && value === BigInt(query.amountMicro);
    return matches ? next.logIndex : null;
  }
  return null;
}
