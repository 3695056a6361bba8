import assert from 'node:assert/strict';
import { call, newPayer } from '../clients/client.ts';
import { choose, close, type Contestant, enter } from '../clients/contestants.ts';
import {
  createIntent,
  drawing,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  type Registered,
  requestUpload,
} from '../clients/journey.ts';
import { executeOutside } from './strays.ts';
import { until } from '../processes/processes.ts';
import type { PreparedWorld } from '../processes/service-processes.ts';

// Cases that wait for the operator: flags, questions, payouts that a daily cap holds, and stray transfers.

const PRIZE_USDC = 3;
const MICRO = 1_000_000;

/** The settings of a service whose daily cap holds each prize of a poster after the first. */
export const DESK_ENV = {
  PAYOUT_CAP_USDC: '3',
  // One poster gets at most 3 USDC of it a day.
  PAYOUT_DAILY_CAP_USDC: '30',
  EARLY_ACCESS_SECONDS: '0',
  ...Object.fromEntries(
    ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_REGISTRATIONS_PER_HOUR'].map((name) => [
      name,
      '100000',
    ]),
  ),
};

type Ground = Pick<PreparedWorld, 'db' | 'chain' | 'rpcUrl' | 'mintUsdc' | 'operatorKey'>;

/** A payout that a cap holds. `received` returns how often its prize has reached the winner. */
export type HeldPayout = { id: string; received(): Promise<number> };
export type StrayCase = { id: string; amountMicro: number; returned(): Promise<number> };

/** Returns what prepares the cases on the service at `url`. */
export function deskCases(ground: Ground, url: string) {
  const { db, chain, operatorKey: key } = ground;
  const market = { url, mintUsdc: ground.mintUsdc };
  let pictures = 7000;
  let poster: Registered | undefined;

  /** Ends a project with a prize. Returns its payout once it is in a state. */
  async function won(state: 'settled' | 'held'): Promise<{ poster: Registered; id: string; winner: Contestant }> {
    const project = await openProject(market, {
      prizeUsdc: PRIZE_USDC,
      entryFeeUsdc: 0,
      ...(poster ? { poster } : {}),
    });
    const winner = await enter(market, project, { picture: await drawing((pictures += 1)) });
    expectStatus(await close(market, project), 200);
    expectStatus(await choose(market, project, winner), 200);
    const id = await until(`a ${state} payout`, async () => {
      const [row] = await db<{ id: string }[]>`
        select id from payouts where project_id = ${project.id} and kind = 'prize' and state = ${state}`;
      return row?.id;
    });
    return { poster: project.poster, id, winner };
  }

  return {
    /** Two agents enter the same picture. Returns the flag, and the agent of the later entry. */
    async flag(): Promise<{ id: string; agentId: string }> {
      const project = await openProject(market, { entryFeeUsdc: 0 });
      const picture = await drawing((pictures += 1));
      await enter(market, project, { picture });
      const { submissionId, id: agentId } = await enter(market, project, { picture });
      return await until('a flag', async () => {
        const [row] = await db<{ id: string }[]>`
          select id from originality_flags where submission_id = ${submissionId}`;
        return row && { id: row.id, agentId };
      });
    },

    async question(): Promise<string> {
      const { id } = await openProject(market);
      const agent = await registerAgent(url);
      const answer = await call(url, 'POST', `/agents/projects/${id}/questions`, {
        key: agent.key,
        body: { question: 'Which size?' },
      });
      return expectStatus(answer, 201).body.data.question.id as string;
    },

    async heldPayouts(count: number): Promise<HeldPayout[]> {
      if (!poster) ({ poster } = await won('settled'));
      const held: HeldPayout[] = [];
      while (held.length < count) {
        const { id, winner } = await won('held');
        const before = await chain.balanceMicro(winner.payer.address);
        const [row] = await db<[{ micro: number }]>`select amount_micro as micro from payouts where id = ${id}`;
        held.push({
          id,
          received: async () => ((await chain.balanceMicro(winner.payer.address)) - before) / row.micro,
        });
      }
      return held;
    },

    async strays(count: number): Promise<StrayCase[]> {
      const project = await openProject(market);
      const payers = Array.from({ length: count }, () => newPayer());
      for (const payer of payers) {
        await ground.mintUsdc(payer.address, MICRO);
        const agent = await registerAgent(url);
        const { id: submissionId } = await createIntent(url, agent.key, project.id);
        const request = { key: agent.key, projectId: project.id, submissionId, sizeBytes: 1000 };
        await executeOutside(ground.rpcUrl, payer, await requestUpload(url, request));
      }
      await ledger({ url, operatorKey: key });
      const answer = await call(url, 'GET', '/operator/strays?state=unclaimed&limit=100', { key });
      const found = expectStatus(answer, 200).body.data.strays as {
        id: string;
        sender: string;
        amount_micro: number;
      }[];
      return payers.map(({ address }) => {
        const stray = found.find(({ sender }) => sender === address.toLowerCase());
        assert.ok(stray, address);
        const { id, amount_micro: amountMicro } = stray;
        const sent = MICRO - amountMicro;
        return { id, amountMicro, returned: async () => ((await chain.balanceMicro(address)) - sent) / amountMicro };
      });
    },
  };
}
