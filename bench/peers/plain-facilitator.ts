import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import {
  createPublicClient,
  createWalletClient,
  http,
  publicActions,
  type VerifyTypedDataActionParameters,
  type WriteContractParameters,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { baseSepolia } from 'viem/chains';
import type { Facilitator } from '../../server/x402/types.ts';
import { v2Typed } from '../../server/x402/types.ts';

const POLL_MS = 10;

type Wallet = Parameters<typeof toFacilitatorEvmSigner>[0];

/** Creates the packages' facilitator. It checks a payment when it verifies it and again when it settles it. */
export function createPlainFacilitator(
  signer: Wallet,
  network: `eip155:${number}`,
): Pick<Facilitator, 'verify' | 'settle'> {
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(toFacilitatorEvmSigner(signer)));
  return {
    verify: (payment) => facilitator.verify(...v2Typed(payment)),
    settle: (payment) => facilitator.settle(...v2Typed(payment)),
  };
}

/** Creates viem's standard clients behind one lane, because concurrent broadcasts lose payments. */
export function createPlainWallet({ rpcUrl, key }: { rpcUrl: string; key: `0x${string}` }): Wallet {
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
  return {
    address: account.address,
    getCode: (args) => reader.getCode(args),
    readContract: (args) => reader.readContract(args),
    // The package passes on what it got as JSON; viem types it by its ABI and its EIP-712 types.
    verifyTypedData: (args) => reader.verifyTypedData(args as VerifyTypedDataActionParameters),
    writeContract: (args) => inLane(() => wallet.writeContract(args as WriteContractParameters)),
    sendTransaction: (args) => inLane(() => wallet.sendTransaction(args)),
    waitForTransactionReceipt: (args) => reader.waitForTransactionReceipt(args),
  };
}
