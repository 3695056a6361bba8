import { pad, parseAbi, toEventSelector, type Hex, type TransactionReceipt } from 'viem';
import { MULTICALL3 } from './node-client.ts';
import type { AuthorizationQuery, PaidTransfer, UsedAuthorization } from './types.ts';

/** The part of the USDC contract (Circle's FiatTokenV2) that the service reads. */
export const usdcAbi = parseAbi([
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
 * payer belongs to another authorization. Compares topics as they are: decoding all logs for each of the 100 payments of a
 * batch took a third of a second.
 */
function findAuthorizedTransfer(
  receipt: Pick<TransactionReceipt, 'status' | 'logs'>,
  usdc: string,
  query: Pick<AuthorizationQuery, 'payer' | 'nonce' | 'payTo' | 'amountMicro'>,
): number | null {
  if (receipt.status !== 'success') return null;
  const payer = pad(query.payer as Hex);
  const events = receipt.logs.filter(
    ({ address, topics: [event] }) => address.toLowerCase() === usdc && event !== undefined && EVENTS.has(event),
  );
  const index = events.findIndex(({ topics }) => isEvent(topics, [USED_TOPIC, payer, query.nonce]));
  const next = index === -1 ? undefined : events[index + 1];
  if (!next || !isEvent(next.topics, [TRANSFER_TOPIC, payer, pad(query.payTo as Hex)])) return null;
  return BigInt(next.data) === BigInt(query.amountMicro) ? next.logIndex : null;
}

/** Returns each transfer of this receipt that an authorization made: it is the contract's next event after the use. */
export function usedAuthorizations(
  receipt: Pick<TransactionReceipt, 'from' | 'to' | 'logs'>,
  usdc: string,
): UsedAuthorization[] {
  const isDirect = [usdc, MULTICALL3].includes(receipt.to?.toLowerCase() ?? '');
  const sender = isDirect ? receipt.from.toLowerCase() : null;
  const events = receipt.logs.filter(
    ({ address, topics: [event] }) => address.toLowerCase() === usdc && event !== undefined && EVENTS.has(event),
  );
  return events.flatMap(({ topics: [event, payer = '', nonce = ''] }, index) => {
    const next = events[index + 1];
    if (event !== USED_TOPIC || next?.topics[0] !== TRANSFER_TOPIC || next.topics[1] !== payer) return [];
    const [by, used] = [`0x${payer.slice(-40)}`.toLowerCase(), nonce.toLowerCase()];
    return [{ logIndex: next.logIndex, payer: by, nonce: used, sender }];
  });
}

const EVENTS = new Set<string>([USED_TOPIC, CANCELED_TOPIC, TRANSFER_TOPIC]);

function isEvent(topics: readonly string[], expected: readonly string[]): boolean {
  return topics.length === expected.length && topics.every((topic, index) => topic.toLowerCase() === expected[index]);
}
