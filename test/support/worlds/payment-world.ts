import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { testDatabase } from '../test-database.ts';
import { startChain } from '../../../server/devnet/chain.ts';
import { rpcClient } from '../../../server/devnet/chain-rpc.ts';
import { readPresentedPayment, paymentRefusal } from '../../../server/http/payment.ts';
import { createAnswerSeals } from '../../../server/idempotency/seals.ts';
import { feesAccount } from '../../../server/ledger/accounts.ts';
import { createBalances } from '../../../server/chain/balances.ts';
import type { Chain } from '../../../server/chain/types.ts';
import type { ChainComparison } from '../../../server/ledger/types.ts';
import { checkLedger } from '../../../server/reconciliation/check-ledger.ts';
import { collectPayment, type CollectedPayment } from '../../../server/payments/collect-payment.ts';
import type { PaymentDeps } from '../../../server/payments/deps.ts';
import { createEvmChain } from '../../../server/chain/evm-chain.ts';
import type { Facilitator, Treasury } from '../../../server/x402/types.ts';
import { createTreasury } from '../../../server/x402/treasury.ts';
import { createInProcessFacilitator } from '../../../server/x402/in-process-facilitator.ts';
import { networks } from '../../../server/chain/networks.ts';
import { createSigning } from '../../../server/signing/signing.ts';
import { paymentRequired } from '../../../server/x402/payment-refused.ts';
import { sweepPayments } from '../../../server/payments/sweep.ts';
import type { Tx } from '../../../server/db/database.ts';
import type { PayableSubject, PaymentInRequest, PaymentQuote } from '../../../server/payments/types.ts';
import { removeFolder } from '../remove-folder.ts';

export const network = networks['eip155:84532'];
/** The comparison of a process that has made it. */
const COMPARED: ChainComparison = { made: async () => true, make: async () => true, isOf: () => true };

const silent = pino({ level: 'silent' });

export type Wallet = { account: PrivateKeyAccount; address: string };

/** Creates the payments state machine on a real PostgreSQL and a real chain, for one test file. Tests move the time. */
export async function paymentWorld({ treasury = createTreasury(generatePrivateKey()) }: { treasury?: Treasury } = {}) {
  const [{ db }, chainNode] = await Promise.all([testDatabase(), startTestChain()]);
  const alerts: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void alerts.push((JSON.parse(line) as { alert?: string }).alert ?? '') },
  );
  const { rpcUrl, facilitatorKey } = chainNode;
  const rpc = rpcClient(rpcUrl);
  // How far the test has moved both clocks ahead of real time.
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const chain = createEvmChain({ rpcUrl, network, log });
  const facilitator = createInProcessFacilitator({
    rpcUrl,
    network,
    keys: [facilitatorKey],
    log,
    db,
    holder: randomUUIDv7(),
    pollMs: 10,
    confirmationTimeoutMs: 3_000,
  });
  const payTo = treasury.address;
  const subject = {
    quote: () => assert.fail('`collect` gives its own quote'),
    mayPresent: async () => true,
    claim: async () => {},
    lock: async (_tx: unknown, subjectId: string) => () => ({ creditTo: feesAccount(subjectId) }),
  };
  const paidOut = {
    async booked(_tx: unknown, payment: { subjectId: string; amountMicro: number }) {
      return { debits: [{ account: feesAccount(payment.subjectId), amountMicro: payment.amountMicro }] };
    },
    credited: async () => {},
    vanished: async () => {},
    refused: async () => true,
    delayed: async () => {},
    isContradicted: async () => false,
  };
  const deps: PaymentDeps = {
    db,
    clock,
    newId: randomUUIDv7,
    chain,
    facilitator,
    balances: createBalances(chain, clock),
    comparison: COMPARED,
    log,
    treasury,
    paymentSeals: createAnswerSeals({ key: randomBytes(32), randomBytes }),
    payments: {
      subjects: { entry_fee: subject, escrow: subject },
      payoutHandlers: { payout: paidOut, refund: paidOut },
      // These tests book refunds and do not pay them.
      refundLatePayment: async () => {},
      waitMs: 15_000,
      leaseMs: 30_000,
    },
  };

  async function wallet(amountMicro: number): Promise<Wallet> {
    const account = privateKeyToAccount(generatePrivateKey());
    if (amountMicro > 0) await chainNode.mintUsdc(account.address, amountMicro);
    return { account, address: account.address.toLowerCase() };
  }

  return {
    deps,
    db,
    /** The `alert` of each warning and error that was logged; '' if it has none. */
    alerts,
    rpc,
    rpcUrl,
    payTo,
    wallet,
    mintUsdc: chainNode.mintUsdc,
    mine: chainNode.mine,
    facilitatorKey,
    quote: (change: Partial<PaymentQuote> = {}): PaymentQuote => ({ ...testQuote(payTo), ...change }),
    /** Returns the same world with some parts replaced. */
    with: (change: Partial<PaymentDeps>): PaymentDeps => ({ ...deps, ...change }),
    /** Moves the clocks of the service and the chain forward, so that leases and authorizations expire. */
    async pass(seconds: number) {
      aheadMs += seconds * 1000;
      await rpc('evm_increaseTime', [seconds]);
      await chainNode.mine();
    },
    // The subjects of these payments are not in the database.
    checkLedger: (of: Chain = chain) =>
      checkLedger(
        { ...deps, chain: of, network, payTo, log },
        { obligations: async () => ({ problems: [], unsettled: [] }), rereadMs: 1 },
      ),
    sweep: (change: Partial<PaymentDeps> = {}) => sweepPayments({ ...deps, ...change }),
    rows: async (subjectId: string): Promise<TestRow[]> => [
      ...(await db<TestRow[]>`
        select id, state, late, error, watched, tx_hash as "txHash", payer from payments
        where subject_id = ${subjectId} order by id`),
    ],
  };
}

export type TestRow = {
  id: string;
  state: string;
  late: boolean;
  error: string | null;
  watched: boolean;
  txHash: string | null;
  payer: string;
};

async function startTestChain() {
  const dataDir = await mkdtemp(join(tmpdir(), 'concours-test-chain-'));
  const facilitatorKey = generatePrivateKey();
  const node = await startChain({
    dataDir,
    facilitatorAddress: privateKeyToAccount(facilitatorKey).address,
    log: silent,
    durable: false,
  });
  after(async () => {
    await node.stop();
    await removeFolder(dataDir);
  });
  return { ...node, facilitatorKey };
}

/** Signs the offers and receipts of worlds without a service. */
export const testSigning = createSigning({
  secretsKey: '5e'.repeat(32),
  earlierKeys: [],
  publicUrl: 'http://127.0.0.1:4020',
});

export function testQuote(payTo: string): PaymentQuote {
  return {
    kind: 'entry_fee',
    subjectId: randomUUIDv7(),
    network: network.id,
    asset: network.usdc.address,
    payTo,
    amountMicro: 250_000,
    resourceUrl: 'http://127.0.0.1:4020/api/v1/pay',
    description: 'Entry fee of a submission',
  };
}

/** Signs a payment for a quote as an unmodified x402 client does, from the 402 to the header of the second request. */
export async function pay(wallet: Wallet, quote: PaymentQuote, version: 1 | 2 = 2): Promise<PaymentInRequest> {
  return readPresentedPayment(new Headers(await paymentHeader(wallet, quote, version)));
}

export async function paymentHeader(
  wallet: Wallet,
  quote: PaymentQuote,
  version: 1 | 2 = 2,
): Promise<Record<string, string>> {
  const deps = { clock: { now: () => new Date() }, signing: testSigning };
  const refusal = await paymentRefusal(deps, paymentRequired(quote));
  const client = new x402Client()
    .register(network.id, new ExactEvmScheme(wallet.account))
    .registerV1(network.v1Name, new ExactEvmSchemeV1(wallet.account))
    .setSpendControls(false);
  const http = new x402HTTPClient(client);
  const answer = http.getPaymentRequiredResponse(
    (name) => (version === 2 ? (refusal.headers[name.toLowerCase()] ?? null) : null),
    refusal.body,
  );
  return http.encodePaymentSignatureHeader(await client.createPaymentPayload(answer));
}

type Hooks = {
  forwardedFor?: string;
  beforeClaim?: () => void | Promise<void>;
  claim: (tx: Tx, payer: string) => Promise<void>;
};

export const noHooks: Hooks = { claim: async () => {} };

/** Pays a quote for a subject that is not in the database. `hooks` replace steps of the entry fee's hooks. */
export function collect(
  deps: PaymentDeps,
  quote: PaymentQuote,
  payment: PaymentInRequest,
  hooks: Partial<Hooks> = {},
): Promise<CollectedPayment<unknown>> {
  const { forwardedFor, beforeClaim, claim } = { ...noHooks, ...hooks };
  const subject: PayableSubject<null> = {
    quote: () => quote,
    mayPresent: async () => true,
    claim: (tx, _order, payer) => claim(tx, payer),
    lock: deps.payments.subjects.entry_fee.lock,
    ...(beforeClaim && { checkOrder: beforeClaim }),
  };
  return collectPayment(deps, subject, {
    order: null,
    payment,
    ...(forwardedFor === undefined ? {} : { forwardedFor }),
  });
}

/** Returns the error code of a call that must fail, or 'no error'. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'no error';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** Returns a facilitator with another `settle`, which receives the real one. */
export function faulty(
  real: Facilitator,
  settle: (settle: Facilitator['settle']) => Facilitator['settle'],
): Facilitator {
  return { ...real, settle: settle((payment) => real.settle(payment)) };
}
