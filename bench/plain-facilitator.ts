import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createPublicClient, createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { baseSepolia } from 'viem/chains';
import type { Facilitator } from '../server/payments/facilitator.ts';
import { v2Typed } from '../server/payments/facilitator.ts';

const POLL_MS = 10;

/** The packages' facilitator over viem's clients as they come, but for one lane: broadcasts at once lose payments. */
export function createPlainFacilitator({
  rpcUrl,
  key,
  network,
}: {
  rpcUrl: string;
  key: `0x${string}`;
  network: `eip155:${number}`;
}): Pick<Facilitator, 'verify' | 'settle'> {
  const account = privateKeyToAccount(key);
  const options = { chain: baseSepolia, transport: http(rpcUrl), pollingInterval: POLL_MS };
  const reader = createPublicClient(options);
  const wallet = createWalletClient({ ...options, account }).extend(publicActions);
  let lane: Promise<unknown> = Promise.resolve();
  const inLane = <T>(send: () => Promise<T>): Promise<T> => {
    const sent = lane.then(send);
    lane = sent.catch(() => {});
    return sent;
  };
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    getCode: (args) => reader.getCode(args),
    readContract: (args) => reader.readContract(args),
    verifyTypedData: (args) => reader.verifyTypedData(args as never),
    writeContract: (args) => inLane(() => wallet.writeContract(args as never)),
    sendTransaction: (args) => inLane(() => wallet.sendTransaction(args)),
    waitForTransactionReceipt: (args) => reader.waitForTransactionReceipt(args),
  });
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer));
  return {
    verify: (payment) => facilitator.verify(...v2Typed(payment)),
    settle: (payment) => facilitator.settle(...v2Typed(payment)),
  };
}
