import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { x402Client } from '@x402/core/client';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import pino from 'pino';
import { createWalletClient, decodeEventLog, http, publicActions } from 'viem';
import type { Abi, Address, Hex, PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { baseSepolia } from 'viem/chains';
import { MULTICALL3_ADDRESS, startChain, USDC_ADDRESS } from './chain.ts';
import type { RunningChain } from './chain.ts';
import devUsdc from './dev-usdc.json' with { type: 'json' };

const abi = devUsdc.abi as Abi;
const payTo = privateKeyToAccount(generatePrivateKey()).address;
const requirements: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:84532',
  asset: USDC_ADDRESS,
  amount: '250000',
  payTo,
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
};

describe('the test USDC, paid with the public x402 packages', () => {
  const facilitatorAccount = privateKeyToAccount(generatePrivateKey());
  let folder: string;
  let chain: RunningChain;
  let facilitator: x402Facilitator;
  let wallet: ReturnType<typeof connect>;

  function connect(account: PrivateKeyAccount, rpcUrl: string) {
    return createWalletClient({ account, chain: baseSepolia, transport: http(rpcUrl), pollingInterval: 10 }).extend(
      publicActions,
    );
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'concours-usdc-'));
    chain = await startChain({
      dataDir: folder,
      facilitatorAddress: facilitatorAccount.address,
      log: pino({ level: 'silent' }),
    });
    wallet = connect(facilitatorAccount, chain.rpcUrl);
    // The package types each function loosely (`args: readonly unknown[]`); viem's are exact.
    const signer = toFacilitatorEvmSigner({ ...wallet, address: facilitatorAccount.address } as never);
    facilitator = new x402Facilitator().register('eip155:84532', new ExactEvmScheme(signer));
  });
  after(async () => {
    await chain.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function sign(payer: Pick<PrivateKeyAccount, 'address' | 'signTypedData'>): Promise<PaymentPayload> {
    const client = registerExactEvmScheme(new x402Client(), { signer: payer });
    return client.createPaymentPayload({
      x402Version: 2,
      resource: { url: 'http://localhost/' },
      accepts: [requirements],
    });
  }

  async function fundedPayer(amountMicro = 1_000_000): Promise<PrivateKeyAccount> {
    const payer = privateKeyToAccount(generatePrivateKey());
    await chain.mintUsdc(payer.address, amountMicro);
    return payer;
  }

  const balance = (address: Address) =>
    wallet.readContract({ address: USDC_ADDRESS, abi, functionName: 'balanceOf', args: [address] });
  const nonceOf = (payment: PaymentPayload) =>
    (payment.payload as { authorization: { nonce: Hex } }).authorization.nonce;
  const used = (payer: Address, nonce: Hex) =>
    wallet.readContract({ address: USDC_ADDRESS, abi, functionName: 'authorizationState', args: [payer, nonce] });

  async function events(hash: string): Promise<{ eventName: string; args: Record<string, unknown> }[]> {
    const receipt = await wallet.getTransactionReceipt({ hash: hash as Hex });
    return receipt.logs.map(
      (log) => decodeEventLog({ abi, ...log }) as unknown as { eventName: string; args: Record<string, unknown> },
    );
  }

  test('a signed payment verifies and settles, AuthorizationUsed before Transfer', async () => {
    const payer = await fundedPayer();
    const payment = await sign(payer);
    const held = (await balance(payTo)) as bigint;
    const verified = await facilitator.verify(payment, requirements);
    assert.deepEqual([verified.isValid, verified.payer], [true, payer.address]);
    const settled = await facilitator.settle(payment, requirements);
    assert.equal(settled.success, true, String(settled.errorReason));
    assert.equal(await balance(payer.address), 750_000n);
    assert.equal(await balance(payTo), held + 250_000n);
    assert.equal(await used(payer.address, nonceOf(payment)), true);
    assert.deepEqual(await events(settled.transaction), [
      { eventName: 'AuthorizationUsed', args: { authorizer: payer.address, nonce: nonceOf(payment) } },
      { eventName: 'Transfer', args: { from: payer.address, to: payTo, value: 250_000n } },
    ]);
  });

  test('refuses with the messages of Circle’s contract: expired, not yet valid, tampered, foreign payee, foreign minter', async () => {
    const payer = await fundedPayer();
    const { payload } = await sign(payer);
    const { authorization, signature } = payload as { authorization: Record<string, string>; signature: Hex };
    const call = (functionName: string, change: Record<string, string>) => {
      const { from, to, value, validAfter, validBefore, nonce } = { ...authorization, ...change };
      return wallet.simulateContract({
        address: USDC_ADDRESS,
        abi,
        functionName,
        args: [from, to, value, validAfter, validBefore, nonce, signature],
      });
    };
    await call('transferWithAuthorization', {});
    await assert.rejects(
      call('transferWithAuthorization', { validBefore: '1000' }),
      /FiatTokenV2: authorization is expired/,
    );
    await assert.rejects(
      call('transferWithAuthorization', { validAfter: '99999999999' }),
      /FiatTokenV2: authorization is not yet valid/,
    );
    await assert.rejects(call('transferWithAuthorization', { value: '250001' }), /FiatTokenV2: invalid signature/);
    await assert.rejects(call('receiveWithAuthorization', {}), /FiatTokenV2: caller must be the payee/);
    const mint = wallet.simulateContract({
      address: USDC_ADDRESS,
      abi,
      functionName: 'mint',
      args: [payer.address, 1n],
    });
    await assert.rejects(mint, /FiatToken: caller is not a minter/);
    const transfer = wallet.simulateContract({
      address: USDC_ADDRESS,
      abi,
      functionName: 'transfer',
      args: [payer.address, 1n],
    });
    await assert.rejects(transfer, /ERC20: transfer amount exceeds balance/);
  });

  test('has the name, version, decimals, and domain of USDC on Base Sepolia', async () => {
    const read = (functionName: string) => wallet.readContract({ address: USDC_ADDRESS, abi, functionName });
    assert.deepEqual(await Promise.all([read('name'), read('symbol'), read('version'), read('decimals')]), [
      'USDC',
      'USDC',
      '2',
      6,
    ]);
    // The token at this address gives these answers on Base Sepolia.
    assert.equal(await read('DOMAIN_SEPARATOR'), '0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818');
    assert.notEqual(await wallet.getCode({ address: MULTICALL3_ADDRESS }), undefined);
  });
});
