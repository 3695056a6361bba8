import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createAgent, createPoster, type Fetch } from '../../../sdk/src/index.ts';
import type { PreparedWorld } from '../processes/service-processes.ts';
import { assertBooks, drawing, openProject } from '../clients/journey.ts';
import { sdkFetch } from './sdk.ts';

// Clients whose processes are killed at one of their requests. A new process has only the key and the wallet.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
const PRIZE_MICRO = 1_000_000;

/** When the process dies: before the request is sent, while the service works on it, or after the answer has come. */
export type Moment = 'before' | 'during' | 'after';
/** The number of the request, from 1, and the moment. */
type Kill = { at: number; moment: Moment };
class Killed extends Error {}

/** Long enough for a request to leave, and too short for most answers. */
const IN_FLIGHT_MS = 2;

/** A `fetch` of a process that dies at one of its requests. */
function mortalFetch(kill: Kill | null) {
  const dying = new AbortController();
  let requests = 0;
  const mortal: Fetch = async (input, init) => {
    dying.signal.throwIfAborted();
    requests += 1;
    if (requests !== kill?.at) return await sdkFetch(input, init);
    const lost = new AbortController();
    if (kill.moment !== 'before') {
      const answer = sdkFetch(input, { ...init, signal: lost.signal });
      await (kill.moment === 'after' ? answer : Promise.race([answer, sleep(IN_FLIGHT_MS)]));
      // The connection of a dead process closes.
      lost.abort();
      await answer.catch(() => {});
    }
    dying.abort(new Killed());
    throw new Killed();
  };
  return { fetch: mortal, signal: dying.signal };
}

/** Returns false if the process was killed at its work. */
async function endsAlive(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}

type MortalProject = { id: string; feeMicro: number; items: number };
type Mortal = { key: string; wallet: PrivateKeyAccount; address: string };

/** Returns the clients of a market with three projects: a paid one, a free one, and one with two items. */
export async function mortalClients(ground: PreparedWorld, url: string) {
  const market = { url, mintUsdc: ground.mintUsdc };
  const open = async (feeMicro: number, items: number): Promise<MortalProject> => {
    const { id } = await openProject(market, { entryFeeUsdc: feeMicro / 1e6, fields: { item_count: items } });
    return { id, feeMicro, items };
  };
  const [paid, free, set] = [await open(FEE_MICRO, 1), await open(0, 1), await open(FEE_MICRO, 2)];
  const files = [await drawing(1), await drawing(2)];
  /** The same in each process of a poster, as the brief is. */
  const deadline = new Date(Date.now() + 3_600_000);

  /** Registers an account that has only its key and a wallet with this much. */
  async function newMortal(
    micro: number,
    register: (options: { url: string; wallet: PrivateKeyAccount; fetch: Fetch }) => Promise<{ apiKey: string }>,
  ): Promise<Mortal> {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { apiKey: key } = await register({ url, wallet, fetch: sdkFetch });
    const address = wallet.address.toLowerCase();
    await ground.mintUsdc(address, micro);
    return { key, wallet, address };
  }

  const details = { description: 'Paints until somebody ends its process.', specializations: ['logo-design'] };
  const newAgent = () =>
    newMortal(FUNDS_MICRO, (options) => createAgent(options).register({ agent_name: 'Mortal', ...details }));
  const newPoster = () =>
    newMortal(PRIZE_MICRO, (options) => createPoster(options).register({ poster_name: 'Mortal' }));

  /** Runs one process of the agent. Returns false if it was killed. */
  async function live({ key, wallet }: Mortal, project: MortalProject, kill: Kill | null): Promise<boolean> {
    const { fetch: mortal, signal } = mortalFetch(kill);
    const agent = createAgent({ url, key, wallet, fetch: mortal });
    const options = { title: 'Afterlife', files: files.slice(0, project.items), maxFee: FEE_MICRO / 1e6, signal };
    return await endsAlive(async () => {
      const unfinished = await Array.fromAsync(agent.submissions({ status: 'pending', signal }));
      for (const { project_id: id } of unfinished) await agent.enter(id, options);
      if (unfinished.length === 0) await agent.enter(project, options);
    });
  }

  async function assertEnteredOnce({ key, address }: Mortal, { feeMicro }: MortalProject): Promise<void> {
    const agent = createAgent({ url, key, fetch: sdkFetch });
    const [entry, ...others] = await Array.fromAsync(agent.submissions());
    assert.deepEqual([entry?.status, entry?.entry_fee_paid, others], ['submitted', feeMicro, []]);
    assert.equal(await ground.chain.balanceMicro(address), FUNDS_MICRO - feeMicro);
    const payments = await ground.db`select state, late from payments where subject_id = ${entry?.id ?? ''}`;
    const expected = feeMicro === 0 ? [] : [{ state: 'settled', late: false }];
    assert.deepEqual(
      payments.map((row) => ({ ...row })),
      expected,
    );
  }

  /** Runs one process of a poster that drafts and publishes. Returns false if it was killed. */
  async function publish({ key, wallet, address }: Mortal, kill: Kill | null): Promise<boolean> {
    const { fetch: mortal, signal } = mortalFetch(kill);
    const client = createPoster({ url, key, wallet, fetch: mortal, signal });
    const brief = {
      title: 'A poster for a ship that sinks',
      description: 'A poster that shows a ship, and the sea that it sails on.',
      prize_amount: PRIZE_MICRO / 1e6,
      entry_fee: 0,
      specializations: ['logo-design'],
      auto_select_deadline: deadline,
    };
    return await endsAlive(async () => {
      const draft = await client.draft(brief, { idempotencyKey: `brief-of-${address}` });
      await client.publish(draft, { maxPrize: PRIZE_MICRO / 1e6 });
    });
  }

  async function assertPublishedOnce({ key, address }: Mortal): Promise<void> {
    const projects = createPoster({ url, key, fetch: sdkFetch }).projects();
    assert.deepEqual(await Array.fromAsync(projects, ({ status }) => status), ['open']);
    assert.equal(await ground.chain.balanceMicro(address), 0);
  }

  return {
    paid,
    free,
    set,
    newAgent,
    live,
    assertEnteredOnce,
    newPoster,
    publish,
    assertPublishedOnce,
    assertBooksBalance: () => assertBooks({ url, operatorKey: ground.operatorKey }),
  };
}

const MOST_REQUESTS = 40;

/**
 * Kills a process at its first request, another one at its second, and so on until one gets through. Returns how many
 * died.
 */
export async function atEachRequest(survives: (at: number) => Promise<boolean>): Promise<number> {
  for (let at = 1; at <= MOST_REQUESTS; at += 1) if (await survives(at)) return at - 1;
  return assert.fail(`the client sends more than ${MOST_REQUESTS} requests`);
}
