import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { z } from 'zod';
import { DomainError, type ErrorCode } from '../../../contract/basics/errors.ts';
import { posterOperations } from '../../../contract/posters.ts';
import { projectOperations } from '../../../contract/projects/projects.ts';
import type { Context, Deps } from '../../../server/deps.ts';
import { networks } from '../../../server/chain/networks.ts';
import { draftProject } from '../../../server/projects/draft-project.ts';
import { prizeSubject } from '../../../server/projects/prize.ts';
import { advancePublicationClock } from '../../../server/projects/publication/publication-clock.ts';
import { searchProjects } from '../../../server/projects/search/search-projects.ts';
import type { AgentCaller, PosterCaller, Tier } from '../../../server/callers.ts';
import { insertPoster } from '../rows/rows.ts';
import type { Db } from '../../../server/db/database.ts';

export const START = Date.parse('2026-03-01T12:00:00.000Z');
export const FUNDER = `0x${'f'.repeat(40)}`;

export const BRIEF = {
  title: 'A logo for a bakery',
  description: 'We bake bread at night and want a mark that looks well on paper bags.',
  prize_amount: 100,
  entry_fee: 0.25,
  specializations: ['logo-design', 'illustration'],
  auto_select_deadline: '2026-03-08T12:00:00Z',
};

/** Creates posters and agents over a real database, with a clock that tests set. A settled prize opens each project. */
export async function projectsWorld(db: Db, overrides: Partial<Deps> = {}) {
  let now = START;
  const deps = {
    db,
    reads: db,
    anonymous: null,
    clock: { now: () => new Date(now) },
    newId: () => randomUUIDv7(),
    randomBytes: (size: number) => randomBytes(size),
    network: networks['eip155:84532'],
    payTo: `0x${'a'.repeat(40)}`,
    publicUrl: 'https://concours.test',
    ai: null,
    comparison: { made: async () => true, make: async () => true, isOf: () => true },
    ...overrides,
    config: {
      platformFeePpm: 50_000,
      earlyAccessSeconds: 60,
      minOpenSeconds: 3600,
      maxOpenDays: 30,
      minEntryFeeMicro: 10_000,
      closeNoticeMinutes: 0,
      confirmGraceSeconds: 30,
      silenceShareCap: 10,
      placeHoldMinutes: 30,
      autoPayoutHoldHours: 0,
      ...overrides.config,
    },
  } as unknown as Deps;
  const request = { requestId: 'test', remoteAddress: '192.0.2.1' };

  async function newPoster(): Promise<Context<PosterCaller>> {
    const posterId = await insertPoster(db, new Date(now));
    return { ...deps, ...request, caller: { kind: 'poster', posterId, keyId: 'test', scope: 'full' } };
  }

  const poster = await newPoster();

  async function draft(change: object = {}, by = poster): Promise<string> {
    const body = posterOperations.draftProject.body.parse({ ...BRIEF, ...change });
    return (await draftProject(by, { body })).project.id;
  }

  /** Books a settled prize, as the payments domain does. */
  async function open(projectId: string, payer = FUNDER) {
    const [row] = await db<{ prize: number }[]>`select prize_micro as prize from projects where id = ${projectId}`;
    const booked = await db.begin(async (tx) => {
      const book = await prizeSubject(deps).lock(tx, projectId);
      return await book({
        id: randomUUIDv7(),
        kind: 'escrow',
        subjectId: projectId,
        network: deps.network.id,
        asset: deps.network.usdc.address,
        payer,
        payTo: deps.payTo,
        amountMicro: row?.prize ?? 1_000_000,
        at: new Date(now),
        txHash: `0x${'1'.repeat(64)}`,
      });
    });
    // As the service does after the commit.
    await advancePublicationClock(deps);
    return booked;
  }

  const agent = (tier: Tier = 'starter', change: Partial<Deps> = {}): Context<AgentCaller> => ({
    ...deps,
    ...change,
    ...request,
    caller: { kind: 'agent', agentId: randomUUIDv7(), keyId: 'test', scope: 'owner', tier, status: 'active' },
  });

  return {
    db,
    deps,
    poster,
    newPoster,
    agent,
    draft,
    open,
    async published(change: object = {}): Promise<string> {
      const id = await draft(change);
      const booking = await open(id);
      assert.ok('creditTo' in booking, JSON.stringify(booking));
      assert.equal(booking.creditTo, `escrow:${id}`);
      return id;
    },
    advance(ms: number) {
      now += ms;
    },
    at: (ms = 0) => new Date(now + ms),
    /** Searches as a request does: the contract parses the text parameters, and shapes the page. */
    async search(query: Record<string, string> = {}, ctx = agent()): Promise<FoundPage> {
      const { query: parsed, output } = projectOperations.searchProjects;
      return output.parse(await searchProjects(ctx, { query: parsed.parse(query) }));
    },
    async setStatus(projectId: string, status: string) {
      await db`update projects set status = ${status} where id = ${projectId}`;
    },
  };
}

type FoundPage = z.output<typeof projectOperations.searchProjects.output>;

export async function refusal(work: Promise<unknown>, code: ErrorCode): Promise<DomainError> {
  const error = await work.then(
    () => assert.fail(`no ${code}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DomainError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
}

/** Asserts that all calls fail with the code and that their errors are identical. */
export async function refusedAlike(works: Promise<unknown>[], code: ErrorCode): Promise<void> {
  const errors = await Promise.all(works.map((work) => refusal(work, code)));
  const [first, ...others] = errors.map(({ message, status, details, retryAfterSeconds }) => ({
    message,
    status,
    details,
    retryAfterSeconds,
  }));
  assert.ok(others.length > 0);
  for (const other of others) assert.deepEqual(other, first);
}
