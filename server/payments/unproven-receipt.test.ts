import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import pino from 'pino';
import { createEvmChain } from '../chain/evm-chain.ts';
import { createInProcessFacilitator } from '../x402/in-process-facilitator.ts';
import { rpcProxy, sendJson } from '../../test/support/servers/http-server.ts';
import { until } from '../../test/support/processes/processes.ts';
import { codeOf, collect, network, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';

const log = pino({ level: 'silent' });

it('books no receipt of a block that never comes, and settles the same signature later', async () => {
  const world = await paymentWorld();
  const { rpc, deps } = world;
  const quote = world.quote();
  const payer = await world.wallet(1_000_000);
  const payment = await pay(payer, quote);

  // The node takes the first transaction and drops it, and reports a receipt of it in a block that nobody ever sees.
  let swallowed: { hash: string; receipt: object } | null = null;
  let isLying = true;
  let lies = 0;
  const rpcUrl = await rpcProxy(world.rpcUrl, async ({ id, method, params }, response) => {
    const answer = (result: unknown) => {
      sendJson(response, 200, { jsonrpc: '2.0', id, result });
      return true;
    };
    if (method === 'eth_sendRawTransaction' && swallowed === null) {
      swallowed = await executedElsewhere(String(params[0]));
      return answer(swallowed.hash);
    }
    if (swallowed && isLying && method === 'eth_getTransactionReceipt' && params[0] === swallowed.hash) {
      lies += 1;
      return answer(swallowed.receipt);
    }
    return false;
  });

  /** The true receipt of a transaction, as of a fork: the chain goes back to the state before. */
  async function executedElsewhere(serialized: string) {
    const before = await rpc('evm_snapshot', []);
    const hash = String(await rpc('eth_sendRawTransaction', [serialized]));
    // A chain that goes back while it mines keeps the logs of the block, and would show the transfer twice.
    const receipt = await until('the receipt', async () => {
      return (await rpc('eth_getTransactionReceipt', [hash])) as object | null;
    });
    await rpc('evm_revert', [before]);
    return { hash, receipt: { ...receipt, blockHash: `0x${'ab'.repeat(32)}` } };
  }

  const unproven = world.with({
    chain: createEvmChain({ rpcUrl, network, log }),
    facilitator: createInProcessFacilitator({
      rpcUrl,
      network,
      keys: [world.facilitatorKey],
      log,
      db: deps.db,
      holder: randomUUIDv7(),
      pollMs: 10,
      confirmationTimeoutMs: 300,
    }),
    payments: { ...deps.payments, waitMs: 1_000 },
  });
  assert.equal(await codeOf(collect(unproven, quote, payment)), 'PAYMENT_PENDING');
  await until('a receipt', async () => lies > 0);
  assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settling');
  isLying = false;

  await world.sweep({ ...unproven, clock: { now: () => new Date(Date.now() + 40_000) } });
  assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settled');
  assert.equal(await deps.chain.balanceMicro(payer.address), 750_000);
  assert.deepEqual((await world.checkLedger()).problems, []);
});
