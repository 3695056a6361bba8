import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { pad, toHex, type Hex } from 'viem';
import { execute, queryOf, signPayment } from '../../test/support/money/authorizations.ts';
import { contractWallet, futureWallet, wrapped } from '../../test/support/money/contract-wallets.ts';
import { FacilitatorUnavailable } from './types.ts';
import { rpcProxy, sendJson } from '../../test/support/servers/http-server.ts';
import { facilitatorOf } from '../../test/support/worlds/batch-world.ts';
import { collect, network, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { facilitatorPayment } from './presented-payment.ts';
import type { PresentedPayment } from '../payments/types.ts';

const world = await paymentWorld();

describe('the in-process facilitator', async () => {
  const { facilitator, chain } = world.deps;
  const quote = world.quote();
  const signed = async (wallet: Awaited<ReturnType<typeof world.wallet>>, version: 1 | 2) =>
    facilitatorPayment(quote, (await pay(wallet, quote, version)) as PresentedPayment);
  const another = (change: { rpcUrl?: string } = {}) => facilitatorOf(world, change);

  for (const version of [1, 2] as const) {
    it(`proves a v${version} settlement by the receipt that it awaited`, async () => {
      const payer = await world.wallet(250_000);
      const presented = (await pay(payer, quote, version)) as PresentedPayment;
      const { success, transaction, proof } = await facilitator.settle(facilitatorPayment(quote, presented));
      assert.equal(success, true);
      assert.ok(proof);
      assert.deepEqual(await chain.authorization(queryOf(quote, presented)), proof);
      assert.equal(proof.txHash, transaction);
    });

    it(`settles a v${version} payment from where its verification stopped, and broadcasts it once`, async () => {
      const payment = await signed(await world.wallet(500_000), version);
      const block = await chain.blockNumber();
      const { isValid, prepared } = await facilitator.verify(payment);
      assert.equal(isValid, true);
      assert.ok(prepared);
      assert.equal(await chain.blockNumber(), block);
      const { success, proof } = await facilitator.settle(payment, prepared);
      assert.equal(success, true);
      assert.ok(proof);
      assert.equal(proof.txHash, (await facilitator.settle(payment, prepared)).transaction);
      assert.equal(await chain.blockNumber(), block + 1);
    });

    it(`refuses v${version} payments with codes of the protocol, before any broadcast`, async () => {
      const poor = await signed(await world.wallet(1), version);
      const block = await chain.blockNumber();
      assert.deepEqual(await refusalOf(poor), {
        success: false,
        errorReason: 'invalid_exact_evm_insufficient_balance',
        transaction: '',
      });
      assert.equal(await chain.blockNumber(), block);
      const paid = await signed(await world.wallet(500_000), version);
      assert.equal((await facilitator.settle(paid)).success, true);
      assert.deepEqual(await refusalOf(paid), {
        success: false,
        errorReason: 'invalid_exact_evm_nonce_already_used',
        transaction: '',
      });
    });
  }

  const refusalOf = async (payment: Parameters<typeof facilitator.settle>[0]) => {
    const { success, errorReason, transaction } = await facilitator.settle(payment);
    return { success, errorReason, transaction };
  };

  it('settles the payment of a contract wallet (ERC-1271)', async () => {
    const owner = await world.wallet(0);
    const contract = await contractWallet(world.rpc, owner.account.address);
    await world.mintUsdc(contract, 250_000);
    const fresh = world.quote();
    const presented = await signPayment(owner, fresh, { from: contract });
    const signature = wrapped(presented.signature);
    const { payment } = await collect(world.deps, fresh, { ...presented, signature });
    assert.equal(payment.payer, contract);
    assert.deepEqual((await world.checkLedger()).unknownPayments, []);
    const forged = {
      ...(await signPayment(owner, world.quote(), { from: contract })),
      signature: `0x02${'11'.repeat(65)}`,
    };
    await assert.rejects(collect(world.deps, world.quote(), forged), { code: 'PAYMENT_FAILED' });
  });

  describe('a wallet that is not deployed yet (ERC-6492)', async () => {
    const owner = await world.wallet(0);
    const walletOf = async (salt: Hex) => {
      const wallet = futureWallet(owner.account.address, salt);
      await world.mintUsdc(wallet.address, 500_000);
      return wallet;
    };
    const paymentBy = async ({ address, sign }: ReturnType<typeof futureWallet>, factory?: Hex) => {
      const presented = await signPayment(owner, world.quote(), { from: address });
      return { ...presented, signature: sign(presented.signature, factory) };
    };
    const codeAt = (address: Hex) => world.rpc('eth_getCode', [address, 'latest']);

    for (const version of [1, 2] as const)
      it(`is deployed by a known factory and pays, in v${version}`, async () => {
        const wallet = await walletOf(pad(toHex(version)));
        for (let times = 1; times <= 2; times += 1) {
          const payment = { ...(await paymentBy(wallet)), x402Version: version };
          const named = version === 1 ? { network: network.v1Name, accepted: null } : {};
          const collected = await collect(world.deps, world.quote(), { ...payment, ...named });
          assert.equal(collected.payment.payer, wallet.address.toLowerCase());
        }
        assert.notEqual(await codeAt(wallet.address), '0x');
      });

    it('is not deployed for a payment that would fail, and by no other factory', async () => {
      const wallet = await walletOf(pad('0x09'));
      const forged = await paymentBy(wallet);
      forged.authorization = { ...forged.authorization, nonce: pad('0x01') };
      await assert.rejects(collect(world.deps, world.quote(), forged), { code: 'PAYMENT_FAILED' });
      const foreign = await paymentBy(wallet, world.payTo as Hex);
      await assert.rejects(collect(world.deps, world.quote(), foreign), /does not call its factory; deploy the wallet/);
      assert.equal(await codeAt(wallet.address), '0x');
    });
  });

  it('tells an account that delegates to a contract which refuses its signature (EIP-7702)', async () => {
    const payer = await world.wallet(250_000);
    const delegate = world.payTo.slice(2);
    await world.rpc('anvil_setCode', [payer.account.address, `0xef0100${delegate}`]);
    const payment = await signPayment(payer, world.quote());
    await assert.rejects(collect(world.deps, world.quote(), payment), new RegExp(`\\(EIP-7702\\) to 0x${delegate}`));
  });

  it('has gas for a recipient whose balance falls to zero after the simulation', async () => {
    // As the treasury's does when the refund of a cancelled project leaves while another project is paid for.
    const recipient = await world.wallet(250_000);
    const toRecipient = world.quote({ payTo: recipient.address });
    const presented = (await pay(await world.wallet(500_000), toRecipient)) as PresentedPayment;
    const payment = facilitatorPayment(toRecipient, presented);
    const { prepared } = await facilitator.verify(payment);
    await execute(world.rpc, await signPayment(recipient, quote));
    assert.equal(await chain.balanceMicro(recipient.address), 0);
    const { success, errorReason } = await facilitator.settle(payment, prepared);
    assert.deepEqual([success, errorReason], [true, undefined]);
  });

  it('throws while the node is down, without its address, which may hold a provider’s key', async () => {
    const blind = another({ rpcUrl: 'http://127.0.0.1:1/v2/canary' });
    for (const version of [1, 2] as const) {
      const payment = await signed(await world.wallet(250_000), version);
      for (const ask of [blind.verify, blind.settle]) {
        const error = await ask(payment).catch((thrown: unknown) => thrown);
        assert.ok(error instanceof FacilitatorUnavailable);
        const told = inspect(error, { depth: 10, showHidden: true });
        assert.match(told, /HttpRequestError/);
        assert.doesNotMatch(told, /canary/);
      }
    }
  });

  it('refuses a signature that the library cannot read', async () => {
    const presented = await signPayment(await world.wallet(250_000), quote);
    // The suffix that marks an ERC-6492 signature, after bytes that cannot be decoded.
    const signature = `0x${'ab'.repeat(100)}${'6492'.repeat(16)}`;
    for (const x402Version of [1, 2] as const) {
      const named = x402Version === 1 ? network.v1Name : network.id;
      const forged: PresentedPayment = { ...presented, x402Version, network: named, signature };
      await assert.rejects(collect(world.deps, quote, forged), { code: 'PAYMENT_FAILED' });
    }
  });

  // The limit is 300,000 gas, and half of that below 1 USDC.
  for (const [amountMicro, gas, isPaid] of [
    [999_999, 150_000, true],
    [999_999, 150_001, false],
    [1_000_000, 300_000, true],
    [1_000_000, 300_001, false],
  ] as const) {
    it(`${isPaid ? 'pays' : 'does not pay'} ${gas} gas for ${amountMicro} microdollars`, async () => {
      const sent: string[] = [];
      const rpcUrl = await rpcProxy(world.rpcUrl, ({ id, method }, response) => {
        sent.push(method);
        if (method !== 'eth_estimateGas') return false;
        sendJson(response, 200, { jsonrpc: '2.0', id, result: `0x${gas.toString(16)}` });
        return true;
      });
      for (const version of [1, 2] as const) {
        const payer = await world.wallet(amountMicro);
        const fresh = world.quote({ amountMicro });
        const dear = world.with({ facilitator: another({ rpcUrl }) });
        const paying = collect(dear, fresh, await pay(payer, fresh, version));
        if (isPaid) await paying;
        else await assert.rejects(paying, { code: 'PAYMENT_FAILED' });
        assert.equal(await chain.balanceMicro(payer.address), isPaid ? 0 : amountMicro);
      }
      assert.equal(sent.includes('eth_sendRawTransaction'), isPaid);
      // Once for each payment: what is simulated early is what the library sends.
      if (isPaid) assert.equal(sent.filter((method) => method === 'eth_estimateGas').length, 2);
    });
  }

  it('throws when the node fails during the settlement: the outcome is unknown', async () => {
    const payment = await signed(await world.wallet(250_000), 2);
    const rpcUrl = await failing(world.rpcUrl, 'eth_sendRawTransaction');
    await assert.rejects(another({ rpcUrl }).settle(payment), FacilitatorUnavailable);
  });

  it('refuses no payment because a node fault made its signature look bad', async () => {
    const world2 = world.with({ facilitator: another({ rpcUrl: await failing(world.rpcUrl, 'eth_getCode') }) });
    const fresh = world.quote();
    const payment = await signPayment(await world.wallet(250_000), fresh);
    await assert.rejects(collect(world2, fresh, payment), { code: 'INTERNAL_ERROR', status: 503 });
  });
});

/** A proxy to the node that answers 502 to one method. */
function failing(target: string, method: string): Promise<string> {
  return rpcProxy(target, (request, response) => {
    if (request.method !== method) return false;
    response.writeHead(502).end();
    return true;
  });
}
