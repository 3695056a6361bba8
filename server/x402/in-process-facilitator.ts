import { AsyncLocalStorage } from 'node:async_hooks';
import { x402Facilitator } from '@x402/core/facilitator';
import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import type { Logger } from 'pino';
import type { TransactionReceipt } from 'viem';
import { type BroadcastGate, createBroadcastGate } from './lanes/broadcast-gate.ts';
import type { Hex } from './lanes/batches.ts';
import { createLaneSigner, TransferTooDear } from './lanes/lane-signer.ts';
import {
  FacilitatorUnavailable,
  v2Typed,
  type Facilitator,
  type PreparedSettlement,
  type Settlement,
  type Verification,
  type X402Payment,
} from './types.ts';
import { isTransportFailure, withoutAddress, paidTransfer, type NodeRequests } from '../chain/public.ts';
import { isUndeployed, newTraffic, type Traffic, transferData } from './traffic.ts';
import type { Db } from '../db/database.ts';
import type { Network } from '../chain/types.ts';

export type InProcessFacilitatorOptions = {
  rpcUrl: string;
  network: Network;
  /** They sign the transactions. Their accounts hold gas and no USDC. Each has a lane of its own. */
  keys: readonly Hex[];
  db: Db;
  /** Names this process among those that share the keys. */
  holder: string;
  log: Pick<Logger, 'error' | 'warn'>;
  /** Called when a key could not pay its gas, at most every 30 s for each key. */
  onNoGas?: (address: Hex) => void;
  /** The most payments of one transaction. Default: 100. 1: no batches. */
  batchSize?: number;
  /** How long payments that are ready for their broadcast wait for others that are nearly ready. Default: 10 ms. */
  batchWindowMs?: number;
  requests?: NodeRequests;
  /** The most gas of one transfer. Default: 300,000. */
  maxGas?: number;
  /** Whether a pooler stands before the database, see `takeLane`. Default: no. */
  pooled?: boolean;
  /** The longest pause between two looks for receipts: 10 ms on a local chain, a fraction of a block time on a real one. */
  pollMs: number;
  /** How long a settlement waits for its receipt before it reports `settlement_pending`. */
  confirmationTimeoutMs?: number;
};

// Longer than a claim can take. The authorization has an expiry of its own.
const PREPARED_MS = 10_000;
// The protocol has no code for this refusal. This one comes nearest.
const TOO_DEAR = 'invalid_exact_evm_transaction_simulation_failed';

// A transfer of an ordinary wallet takes about 90,000 gas.
const MAX_GAS = 300_000;
// A batch of 100 takes about 6 million gas, and saves a third of the gas of each payment.
const BATCH_SIZE = 100;
const BATCH_WINDOW_MS = 10;
// Four full batches. More payouts at once would make an entry fee wait.
const CAPACITY = 400;

// The library would wait again for a transaction that was dropped, and never broadcast another. The service asks the chain
// before each new attempt.
const FORGETFUL = { get: async () => undefined, set: async () => {}, delete: async () => {} };

// An undeployed wallet (ERC-6492) names what deploys it. These contracts only make wallets: of Coinbase (both versions), Safe,
// Kernel, and Alchemy, and the deterministic deployer, which makes any contract.
const FACTORIES = [
  '0x0ba5ed0c6aa8c49038f819e587e2633c4a9f428a',
  '0xba5ed110efdba3d005bfc882d75358acbbb85842',
  '0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67',
  '0xd703aae79538628d27099b8c4f621be4ccd142d5',
  '0x0000000000400cdfef5e2714e63d8040b700bc24',
  '0x4e59b44847b379578588920ca78fbf26c0b4956c',
];
const NOT_DEPLOYED = 'smart_wallet_deployment_failed';

/**
 * Runs the x402 library's facilitator on our own signer. Never expose it to the network: it pays the gas of every payment
 * that it is given.
 */
export function createInProcessFacilitator(options: InProcessFacilitatorOptions): Facilitator {
  const { network } = options;
  const traffic = new AsyncLocalStorage<Traffic>();
  const { wallet, signer } = createSigner(options, traffic);
  const facilitator = createLibraryFacilitator(network, signer);

  async function watched<T>(
    payment: X402Payment,
    call: () => Promise<T>,
    isRefusal: (answer: T) => boolean,
    unreadable: T | null,
    gate: BroadcastGate | null = null,
  ): Promise<{ answer: T; seen: Traffic }> {
    const current = newTraffic(payment, options.maxGas ?? MAX_GAS, gate);
    const answer = await traffic.run(current, call).catch((error: unknown) => {
      // No request to the node failed, so the library threw because of the payment itself.
      if (!current.failed && unreadable !== null) return unreadable;
      throw new FacilitatorUnavailable(withoutAddress(error));
    });
    // Without the node the answer proves nothing: it must not look like a bad payment or a certain refusal.
    if (isRefusal(answer) && current.fault !== null) throw new FacilitatorUnavailable(withoutAddress(current.fault));
    return { answer, seen: current };
  }

  async function settle(payment: X402Payment, gate: BroadcastGate | null): Promise<Settlement> {
    const { answer, seen } = await watched<Settlement>(
      payment,
      () => {
        simulateEarly(traffic.getStore(), wallet, network, payment);
        return facilitator.settle(...v2Typed(payment));
      },
      // A transaction that is named can be looked up, even when something else failed.
      (settlement) => !settlement.success && settlement.transaction === '',
      null,
      gate,
    );
    if (seen.tooDear) return { success: false, errorReason: seen.tooDear, transaction: '' };
    const settlement = payment.x402Version === 1 ? withReasonCode(answer) : answer;
    const proof = seen.receipt && paidTransfer(seen.receipt, network.usdc.address, seen.transfer);
    // A call that failed in a batch goes out again, in another transaction than the library knows.
    const transaction = settlement.transaction && (seen.sent?.hash ?? settlement.transaction);
    return { ...settlement, transaction, ...(proof ? { proof } : {}), ...(seen.unpaid ? { unpaid: true } : {}) };
  }

  async function explained(payment: X402Payment): Promise<Verification> {
    const call = () => facilitator.verify(...v2Typed(payment));
    const unreadable = { isValid: false, invalidReason: 'invalid_exact_evm_signature' };
    return (await watched<Verification>(payment, call, ({ isValid }) => !isValid, unreadable)).answer;
  }

  return {
    async verify(payment) {
      if (isUndeployed(payment)) {
        // The library's settlement would deploy the wallet first. The verification simulates both steps.
        const simulated = await explained(payment);
        if (!simulated.isValid) return simulated;
      }
      // The library's settlement makes all checks of its verification, and ends with a simulation of the transfer.
      const prepared = await prepare((gate) => settle(payment, gate));
      if (prepared) return { isValid: true, prepared };
      // The settlement was refused. The verification says why, in a code of the protocol.
      return await explained(payment);
    },
    settle: async (payment, prepared) => await (prepared?.broadcast() ?? settle(payment, null)),
    check: () => checkBatches(options, wallet),
    capacity: CAPACITY,
    senders: signer.getAddresses().map((address) => address.toLowerCase()),
    gasOfKeys: () => wallet.gasOfKeys(),
  };
}

function createLibraryFacilitator(network: Network, signer: FacilitatorEvmSigner): x402Facilitator {
  const scheme = { eip6492AllowedFactories: FACTORIES, pendingSettlementStore: FORGETFUL };
  return (
    new x402Facilitator()
      .register(network.id, new ExactEvmScheme(signer, scheme))
      // One name only: a pattern of several names would match any network. The type says CAIP-2; on the wire it is a name.
      .registerV1(network.v1Name as `${string}:${string}`, new ExactEvmSchemeV1(signer, scheme))
  );
}

/** Our wallet in the shape that the library expects. It reports failures and receipts to the call in progress. */
function createSigner(options: InProcessFacilitatorOptions, traffic: AsyncLocalStorage<Traffic>) {
  const wallet = createLaneSigner({
    ...options,
    batchSize: options.batchSize ?? BATCH_SIZE,
    batchWindowMs: options.batchWindowMs ?? BATCH_WINDOW_MS,
    maxGas: () => BigInt(traffic.getStore()?.maxGas ?? MAX_GAS),
    mayShare: () => traffic.getStore()?.hasCode === false,
    simulated(data) {
      const current = traffic.getStore();
      const begun = current?.simulation;
      if (!current || begun?.data !== data) return undefined;
      // A call that goes out once more is simulated once more.
      current.simulation = null;
      return begun.gas;
    },
    beforeBroadcast: () => traffic.getStore()?.gate?.pass() ?? null,
    onFailure(error) {
      const current = traffic.getStore();
      if (!current) return;
      current.failed = true;
      if (error instanceof TransferTooDear) current.tooDear ??= current.deploys ? NOT_DEPLOYED : TOO_DEAR;
      if (!current.tooDear && isTransportFailure(error)) current.fault ??= error;
    },
    onSent(sent) {
      const current = traffic.getStore();
      if (current) current.sent = sent;
    },
  });
  const getCode = async ({ address }: { address: Hex }) => {
    const current = traffic.getStore();
    const known = current?.codes.get(address);
    if (known) return await known;
    const asked = wallet.getCode({ address });
    current?.codes.set(address, asked);
    const code = await asked;
    if (current?.transfer.payer === address.toLowerCase())
      current.hasCode = current.isUndeployed || (code !== undefined && code !== '0x');
    return code;
  };
  const usdc = options.network.usdc.address;
  async function waitForTransactionReceipt(awaited: { hash: Hex; timeout?: number }): Promise<TransactionReceipt> {
    const receipt = await wallet.waitForTransactionReceipt(awaited);
    const current = traffic.getStore();
    if (!current) return receipt;
    current.receipt = receipt;
    const { sent, transfer } = current;
    const proof = paidTransfer(receipt, usdc, transfer);
    // The library decodes every log that it gets, which a batch would multiply.
    if (proof) return { ...receipt, logs: receipt.logs.filter(({ logIndex }) => logIndex === proof.logIndex) };
    if (!sent?.shared) return receipt;
    // The batch ran out of gas, or this call failed in it. It is tried once more, alone: perhaps another payer's wallet
    // spent the gas of the batch. The simulation tells what the payment itself lacks.
    try {
      const hash = await wallet.sendAlone(sent.call);
      current.receipt = await wallet.waitForTransactionReceipt({ ...awaited, hash });
      return current.receipt;
    } catch (error) {
      if (current.sent !== sent || isTransportFailure(error)) throw error;
      current.unpaid = true;
      return { ...receipt, status: 'reverted' };
    }
  }
  const confirmationTimeoutMs = options.confirmationTimeoutMs ?? 20_000;
  const sendTransaction = createDeploy(wallet, traffic, options.maxGas ?? MAX_GAS);
  const signer = toFacilitatorEvmSigner(
    { ...wallet, getCode, sendTransaction, waitForTransactionReceipt },
    { confirmationTimeoutMs },
  );
  return { wallet, signer };
}

type Wallet = ReturnType<typeof createLaneSigner>;

/** The library asks for the payer's code, checks the signature, and simulates. The simulation need not wait for the others. */
function simulateEarly(current: Traffic | undefined, wallet: Wallet, { usdc }: Network, payment: X402Payment): void {
  const data = transferData(payment);
  if (!current || data === null) return;
  const gas = wallet.simulate({ to: usdc.address, data });
  // The broadcast reports a failure.
  gas.catch(() => {});
  current.simulation = { data, gas };
}

async function checkBatches({ batchSize, log }: InProcessFacilitatorOptions, wallet: Wallet): Promise<void> {
  if (batchSize === 1 || (await wallet.canBatch())) return;
  log.warn({}, 'the chain has no Multicall3: every payment gets a transaction of its own');
}

/** The library sends only deployments as plain transactions. Each wallet has one, so its price does not depend on the amount. */
function createDeploy(
  { sendTransaction }: Wallet,
  traffic: AsyncLocalStorage<Traffic>,
  maxGasOfOne: number,
): Wallet['sendTransaction'] {
  return async (call) => {
    const current = traffic.getStore();
    if (!current) throw new Error('a deployment outside of a settlement');
    const { maxGas } = current;
    Object.assign(current, { deploys: true, maxGas: maxGasOfOne });
    try {
      return await sendTransaction(call);
    } finally {
      Object.assign(current, { deploys: false, maxGas });
    }
  };
}

/** Runs a settlement up to its broadcast. Null when it does not get that far. */
async function prepare(settle: (gate: BroadcastGate) => Promise<Settlement>): Promise<PreparedSettlement | null> {
  const gate = createBroadcastGate(PREPARED_MS);
  const settling = settle(gate);
  const ended = settling.then(
    () => false,
    () => false,
  );
  const isReady = await Promise.race([gate.reached.then(() => true), ended]);
  return isReady ? { broadcast: () => (gate.open() ? settling : null) } : null;
}

/** The v1 scheme passes on the text of the error that it caught. The v2 scheme turns the same texts into these codes. */
function withReasonCode(settlement: Settlement): Settlement {
  const reason = settlement.errorReason ?? '';
  if (settlement.success || settlement.transaction !== '' || /^[a-z0-9_]+$/.test(reason)) return settlement;
  const found = REASONS.find(([pattern]) => pattern.test(reason));
  return { ...settlement, errorReason: found?.[1] ?? 'invalid_exact_evm_transaction_failed' };
}

const REASONS: [RegExp, string][] = [
  [/authorization is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/authorization is not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/authorization is used/i, 'invalid_exact_evm_nonce_already_used'],
  [/exceeds balance|insufficient.*balance/i, 'invalid_exact_evm_insufficient_balance'],
  [/invalid signature/i, 'invalid_exact_evm_signature'],
];
