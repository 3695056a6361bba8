import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { createRemoteFacilitator } from '../../server/x402/remote-facilitator.ts';
import { type Answer, fund, newPayer, signPayment } from '../support/clients/client.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { assertPending, untilSettled } from '../support/money/payment-answers.ts';
import { firstLine, type RunningProcess, startScript } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// FACILITATOR_URL: the facilitator runs in another process, shares no code with the service, and crashes.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
const GAS = '0x56bc75e2d63100000';

const key = generatePrivateKey();
const port = await freePort();
let facilitator: RunningProcess;
let afterVerify: () => Promise<void> = async () => {};

const world = await startWorld({
  paymentTimes: { waitMs: 1_500, leaseMs: 1_000 },
  wrap({ network }) {
    const remote = createRemoteFacilitator({ url: `http://127.0.0.1:${port}`, network });
    return {
      facilitator: {
        ...remote,
        async verify(payment) {
          const verification = await remote.verify(payment);
          await afterVerify();
          return verification;
        },
      },
    };
  },
});
const { url, chain } = world;
await rpcClient(chain.rpcUrl)('anvil_setBalance', [privateKeyToAddress(key), GAS]);
await startFacilitator();
after(() => facilitator.kill('SIGKILL'));
afterEach(() => {
  afterVerify = async () => {};
});

async function startFacilitator(): Promise<void> {
  facilitator = startScript('test/support/servers/facilitator-server.ts', [chain.rpcUrl, key, String(port)], {
    messages: true,
  });
  assert.equal(await firstLine(facilitator), String(port));
}

const picture = await testPicture();
const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });

async function enter() {
  const agent = await registerAgent(url);
  const intent = await createIntent(url, agent.key, project.id);
  const payer = newPayer();
  await fund(url, payer.address, FUNDS_MICRO / 1e6);
  const request = { key: agent.key, projectId: project.id, submissionId: intent.id, sizeBytes: picture.length };
  return {
    payer,
    ask: (headers: Record<string, string> = {}) => requestUpload(url, { ...request, headers }),
    async uploadAndConfirm(granted: Answer) {
      assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
      expectStatus(await confirm(url, agent.key, project.id, intent.id), 200);
    },
    balanceMicro: () => world.service.deps.chain.balanceMicro(payer.address),
    payments: async () => (await world.service.deps.db`select 1 from payments where subject_id = ${intent.id}`).length,
  };
}

async function assertBooksAreTheChain(): Promise<void> {
  const books = await ledger(world);
  assert.deepEqual([books.problems, books.balanced, books.chain_matches, books.unknown_payments], [[], true, true, 0]);
}

describe('a service with a remote facilitator', () => {
  it('finds that it serves the network, takes an entry fee, and confirms the upload', async () => {
    await world.service.deps.facilitator.check();
    const { ask, payer, uploadAndConfirm, balanceMicro } = await enter();
    const payment = await signPayment(payer, expectStatus(await ask(), 402));
    await uploadAndConfirm(expectStatus(await untilSettled(() => ask(payment)), 200));
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
    await assertBooksAreTheChain();
  });

  it('charges nothing while the facilitator is down, and accepts the same payment when it is back', async () => {
    const { ask, payer, balanceMicro, payments } = await enter();
    const payment = await signPayment(payer, expectStatus(await ask(), 402));
    await facilitator.kill('SIGKILL');
    const refused = expectStatus(await ask(payment), 503);
    assert.equal(refused.body.error.code, 'INTERNAL_ERROR');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.deepEqual([await payments(), await balanceMicro()], [0, FUNDS_MICRO]);
    await startFacilitator();
    expectStatus(await untilSettled(() => ask(payment)), 200);
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
    await assertBooksAreTheChain();
  });

  it('settles a verified payment once after the facilitator crashed before the settlement', async () => {
    const { ask, payer, balanceMicro } = await enter();
    const refusal = expectStatus(await ask(), 402);
    const [payment, second] = [await signPayment(payer, refusal), await signPayment(payer, refusal)];
    afterVerify = async () => void (await facilitator.kill('SIGKILL'));
    assertPending(await ask(payment));
    assertPending(await ask(second));
    afterVerify = async () => {};
    await startFacilitator();
    expectStatus(await untilSettled(() => ask(second)), 200);
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
    await assertBooksAreTheChain();
  });
});
