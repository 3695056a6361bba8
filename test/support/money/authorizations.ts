import { randomBytes } from 'node:crypto';
import { authorizationTypes, eip3009ABI } from '@x402/evm';
import {
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  multicall3Abi,
  parseAbi,
  parseSignature,
  type Hex,
} from 'viem';
import { MULTICALL3_ADDRESS } from '../../../server/devnet/chain.ts';
import type { Rpc } from '../../../server/devnet/chain-rpc.ts';
import type { AuthorizationQuery } from '../../../server/chain/types.ts';
import { networks } from '../../../server/chain/networks.ts';
import type { Wallet } from '../worlds/payment-world.ts';
import { requirementsV2 } from '../../../server/x402/quote.ts';
import type { PresentedPayment, PaymentQuote } from '../../../server/payments/types.ts';

const network = networks['eip155:84532'];
const domain = {
  name: network.usdc.name,
  version: network.usdc.version,
  chainId: network.chainId,
  verifyingContract: network.usdc.address,
} as const;
// Anyone can broadcast an authorization. In tests this address does.
const STRANGER = '0x00000000000000000000000000000000000000aa';

export const now = () => Math.floor(Date.now() / 1000);

/** Signs an authorization for a quote; `change` replaces parts of it. */
export async function signPayment(
  wallet: Wallet,
  quote: PaymentQuote,
  change: Partial<{ from: Hex; to: string; value: number; validAfter: number; validBefore: number; nonce: Hex }> = {},
): Promise<PresentedPayment> {
  const authorization = {
    from: change.from ?? wallet.account.address,
    to: (change.to ?? quote.payTo) as Hex,
    value: String(change.value ?? quote.amountMicro),
    validAfter: String(change.validAfter ?? 0),
    validBefore: String(change.validBefore ?? now() + 300),
    nonce: change.nonce ?? (`0x${randomBytes(32).toString('hex')}` satisfies Hex),
  };
  const signature = await wallet.account.signTypedData({
    domain,
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  });
  const accepted = requirementsV2(quote);
  return { x402Version: 2, scheme: 'exact', network: network.id, accepted, authorization, signature };
}

export function queryOf(quote: PaymentQuote, { authorization }: PresentedPayment): AuthorizationQuery {
  return {
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce.toLowerCase(),
    payTo: quote.payTo,
    amountMicro: quote.amountMicro,
    validBefore: Number(authorization.validBefore),
    fromBlock: 0,
  };
}

function transferData({ authorization, signature }: PresentedPayment): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const { v, yParity, r, s } = parseSignature(signature as Hex);
  return encodeFunctionData({
    abi: eip3009ABI,
    functionName: 'transferWithAuthorization',
    args: [
      from as Hex,
      to as Hex,
      BigInt(value),
      BigInt(validAfter),
      BigInt(validBefore),
      nonce as Hex,
      Number(v ?? yParity),
      r,
      s,
    ],
  });
}

/** Broadcasts signed payments without the facilitator, all in one transaction. Returns its hash. */
export async function execute(rpc: Rpc, ...payments: PresentedPayment[]): Promise<Hex> {
  const calls = payments.map((payment) => ({
    target: network.usdc.address,
    allowFailure: false,
    callData: transferData(payment),
  }));
  return await send(
    rpc,
    MULTICALL3_ADDRESS,
    encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
  );
}

/** Cancels an authorization on chain, as its payer. Returns the transaction hash. */
export async function cancel(rpc: Rpc, wallet: Wallet, nonce: string): Promise<Hex> {
  const signature = await wallet.account.signTypedData({
    domain,
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: wallet.account.address, nonce: nonce as Hex },
  });
  const abi = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']);
  return await send(
    rpc,
    network.usdc.address,
    encodeFunctionData({ abi, args: [wallet.account.address, nonce as Hex, signature] }),
  );
}

/** Marks a nonce as used without any event. Slot 3 of DevUSDC is authorizationState. */
export async function useWithoutEvent(rpc: Rpc, payer: string, nonce: string): Promise<void> {
  const outer = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [payer as Hex, 3n]));
  const slot = keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [nonce as Hex, outer]));
  await rpc('anvil_setStorageAt', [network.usdc.address, slot, `0x${'1'.padStart(64, '0')}`]);
  await rpc('evm_mine', []);
}

async function send(rpc: Rpc, to: string, data: Hex): Promise<Hex> {
  await rpc('anvil_setBalance', [STRANGER, '0xde0b6b3a7640000']);
  await rpc('anvil_impersonateAccount', [STRANGER]);
  const hash = (await rpc('eth_sendTransaction', [{ from: STRANGER, to, data, gas: '0x7a120' }])) as Hex;
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as { status: string } | null;
    if (receipt?.status === '0x1') return hash;
    if (receipt) throw new Error('the transaction was reverted');
  }
  throw new Error('the transaction was not mined');
}
