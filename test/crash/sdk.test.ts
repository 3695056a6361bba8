import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createAgent, createPoster, type Fetch } from '../../sdk/src/index.ts';
import { sdkFetch } from '../support/clients/sdk.ts';
import { drawing, ledger, openProject } from '../support/clients/journey.ts';
import type { CrashPoint } from '../support/processes/crashing-service.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// An agent is killed before and after each request of its way. A new process that has only the key and the wallet reads
// what is pending and finishes it. The fee is paid once. The same holds for a poster and its prize.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
/** The same in each process of a poster, as the brief is. */
const DEADLINE = new Date(Date.now() + 3_600_000);

const ground = await prepareWorld({ paymentTimes: { waitMs: 5_000, leaseMs: 700 } });
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };
const paid = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 });
const free = await openProject(market, { entryFeeUsdc: 0 });
const set = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6, fields: { item_count: 2 } });
const files = [await drawing(1), await drawing(2)];

type Project = { id: string };
type Kill = { at: number; answered: boolean };
class Killed extends Error {}

/** A `fetch` of a process that dies at one of its requests: before it is sent, or after the service has answered. */
function mortalFetch(kill: Kill | null) {
  const dying = new AbortController();
  let requests = 0;
  const mortal: Fetch = async (input, init) => {
    dying.signal.throwIfAborted();
    requests += 1;
    const dies = requests === kill?.at;
    if (dies && !kill?.answered) dying.abort(new Killed());
    dying.signal.throwIfAborted();
    const response = await sdkFetch(input, init);
    if (dies) dying.abort(new Killed());
    dying.signal.throwIfAborted();
    return response;
  };
  return { fetch: mortal, signal: dying.signal, requests: () => requests };
}

async function newAgent() {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const agent = createAgent({ url, wallet, fetch: sdkFetch });
  const details = {
    agent_name: 'Mortal',
    description: 'Paints until somebody ends its process.',
    specializations: ['logo-design'],
  };
  await agent.register(details);
  await ground.mintUsdc(wallet.address.toLowerCase(), FUNDS_MICRO);
  return { agent, wallet, key: agent.key };
}

type NewAgent = Awaited<ReturnType<typeof newAgent>>;

/** Runs one process of the agent. Returns false if it was killed. */
async function live({ key, wallet }: NewAgent, project: Project, kill: Kill | null): Promise<boolean> {
  const { fetch: mortal, signal } = mortalFetch(kill);
  const agent = createAgent({ url, key, wallet, fetch: mortal });
  const pictures = project === set ? { files } : { file: files[0] as Buffer };
  const options = { title: 'Afterlife', ...pictures, maxFee: FEE_MICRO / 1e6, signal };
  try {
    const unfinished = await Array.fromAsync(agent.submissions({ status: 'pending', signal }));
    for (const { project_id: id } of unfinished) await agent.enter(id, options);
    if (unfinished.length === 0) await agent.enter(project, options);
    return true;
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}

async function assertEnteredOnce({ agent, wallet }: NewAgent, feeMicro: number): Promise<void> {
  const [entry, ...others] = await Array.fromAsync(agent.submissions());
  assert.deepEqual([entry?.status, entry?.entry_fee_paid, others], ['submitted', feeMicro, []]);
  assert.equal(await ground.chain.balanceMicro(wallet.address.toLowerCase()), FUNDS_MICRO - feeMicro);
  const payments = await ground.db`select state, late from payments where subject_id = ${entry?.id ?? ''}`;
  const expected = feeMicro === 0 ? [] : [{ state: 'settled', late: false }];
  assert.deepEqual(
    payments.map((row) => ({ ...row })),
    expected,
  );
}

async function assertBooksBalance(): Promise<void> {
  const books = await ledger({ url, operatorKey: ground.operatorKey });
  assert.deepEqual([books.problems, books.balanced, books.chain_matches], [[], true, true]);
}

const MOST_REQUESTS = 40;

for (const [kind, project, feeMicro] of [
  ['a paid project', paid, FEE_MICRO],
  ['a free project', free, 0],
  ['a project with two items', set, FEE_MICRO],
] as const) {
  describe(`an agent in ${kind}`, () => {
    for (const answered of [false, true]) {
      it(`finishes after it was killed ${answered ? 'after' : 'before'} each of its requests`, async () => {
        let deaths = 0;
        for (let at = 1; at <= MOST_REQUESTS; at += 1) {
          const agent = await newAgent();
          if (await live(agent, project, { at, answered })) break;
          deaths += 1;
          assert.equal(await live(agent, project, null), true);
          await assertEnteredOnce(agent, feeMicro);
        }
        assert.ok(deaths >= 7 && deaths < MOST_REQUESTS, `${deaths} deaths`);
        await assertBooksBalance();
      });
    }

    it('finishes if every process is killed one request later than the one before', async () => {
      const agent = await newAgent();
      let lives = 1;
      while (!(await live(agent, project, { at: lives, answered: true }))) lives += 1;
      assert.ok(lives > 3 && lives < MOST_REQUESTS, `${lives} lives`);
      await assertEnteredOnce(agent, feeMicro);
    });
  });
}

/** Runs one process of a poster that drafts and publishes. Returns false if it was killed. */
async function publish(poster: { key: string; wallet: NewAgent['wallet'] }, kill: Kill | null): Promise<boolean> {
  const { fetch: mortal, signal } = mortalFetch(kill);
  const client = createPoster({ url, key: poster.key, wallet: poster.wallet, fetch: mortal, signal });
  const brief = {
    title: 'A poster for a ship that sinks',
    description: 'A poster that shows a ship, and the sea that it sails on.',
    prize_amount: FUNDS_MICRO / 1e6,
    entry_fee: 0,
    specializations: ['logo-design'],
    auto_select_deadline: DEADLINE,
  };
  try {
    const draft = await client.draft(brief, { idempotencyKey: `brief-of-${poster.wallet.address}` });
    await client.publish(draft, { maxPrize: FUNDS_MICRO / 1e6 });
    return true;
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}

describe('a poster', () => {
  for (const answered of [false, true]) {
    it(`publishes once after it was killed ${answered ? 'after' : 'before'} each of its requests`, async () => {
      let deaths = 0;
      for (let at = 1; at <= MOST_REQUESTS; at += 1) {
        const wallet = privateKeyToAccount(generatePrivateKey());
        const first = createPoster({ url, wallet, fetch: sdkFetch });
        const { apiKey: key } = await first.register({ poster_name: 'Mortal' });
        await ground.mintUsdc(wallet.address.toLowerCase(), FUNDS_MICRO);
        if (await publish({ key, wallet }, { at, answered })) break;
        deaths += 1;
        assert.equal(await publish({ key, wallet }, null), true);
        assert.deepEqual(await Array.fromAsync(first.projects(), ({ status }) => status), ['open']);
        assert.equal(await ground.chain.balanceMicro(wallet.address.toLowerCase()), 0);
      }
      assert.ok(deaths >= 5 && deaths < MOST_REQUESTS, `${deaths} deaths`);
      await assertBooksBalance();
    });
  }
});

describe('an agent whose service is killed', () => {
  const points: CrashPoint[] = [
    'before verify',
    'in the claim',
    'before settle',
    'after settle',
    'in the booking',
    'before the answer',
  ];
  for (const point of points) {
    it(`${point} rides it out in one call, and pays once`, async () => {
      const agent = await newAgent();
      await service.crashAt(point);
      const entering = live(agent, paid, null);
      await service.running.ended;
      service = await ground.start(Number(new URL(url).port));
      assert.equal(await entering, true);
      await assertEnteredOnce(agent, FEE_MICRO);
    });
  }
});
