import { encodeFunctionData, parseAbi } from 'viem';
import { MULTICALL3 } from '../../chain/public.ts';

export type Hex = `0x${string}`;

/** A call of the token contract that was simulated, with the gas that it may take. */
export type Call = {
  to: Hex;
  data: Hex;
  gas: bigint;
  /** Whether it may share a transaction with other payments. Set to false when it must go out alone. */
  batchable: boolean;
};

// Nodes refuse a transaction above 16.7 million gas (EIP-7825).
const MAX_BATCH_GAS = 15_000_000n;
// The gas that Multicall3 itself needs: the base of a transaction, and the loop with its copies of the call data.
const BASE_GAS = 60_000n;
const GAS_PER_CALL = 12_000n;

const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[])',
]);

/**
 * Picks the calls of the next transaction, by their positions. A call that may not share one goes out alone; otherwise up to
 * `size` calls go out together, within the gas of one transaction.
 */
export function nextBatch(waiting: readonly Call[], size: number): Set<number> {
  const [first] = waiting;
  const picked = new Set<number>(first ? [0] : []);
  if (!first?.batchable) return picked;
  let gas = BASE_GAS + gasInBatch(first);
  for (const [index, call] of waiting.entries()) {
    if (picked.size >= size) break;
    if (index === 0 || !call.batchable || gas + gasInBatch(call) > MAX_BATCH_GAS) continue;
    picked.add(index);
    gas += gasInBatch(call);
  }
  return picked;
}

/** One transaction for the calls: a single call goes to the token itself, several go through Multicall3. */
export function transactionOf(calls: readonly Call[]): { to: Hex; data: Hex; gas: bigint } {
  const [only] = calls;
  if (only && calls.length === 1) return { to: only.to, data: only.data, gas: only.gas };
  return {
    to: MULTICALL3,
    data: encodeFunctionData({
      abi: multicallAbi,
      functionName: 'aggregate3',
      // A call that fails moves no money, and the others go on.
      args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
    }),
    gas: calls.reduce((sum, call) => sum + gasInBatch(call), BASE_GAS),
  };
}

function gasInBatch({ gas }: Call): bigint {
  return gas + GAS_PER_CALL;
}
