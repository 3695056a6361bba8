import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import {
  assertBooks,
  assertEnded,
  type Ending,
  type Fate,
  ownProject,
  sceneOf,
  sharedTime,
} from '../support/endings/ending.ts';
import { drawing, expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import {
  FEE_MICRO,
  LEFT_MICRO,
  lost,
  noEntry,
  PRIZE_MICRO,
  RECEIVES_MICRO,
  silent,
  wallet,
  won,
} from '../support/endings/expected-endings.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Every end that the poster did not choose, over HTTP and to the last microdollar. All projects run at once.

const DAY_MS = 86_400_000;
const many = ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_AGENT_ACCOUNT_PER_MINUTE'];
const world = await startWorld({ env: Object.fromEntries(many.map((name) => [name, '100000'])) });
const { url, operatorKey, clock, service, errors } = world;
// One day, plus the grace period for paid entries without confirmation.
const time = sharedTime(clock, DAY_MS + 60_000);
/** The platform's revenue from each project. */
const earned: number[] = [];

/** Opens a project. Its deadline passes with the next step of time, its judging deadline with the one after. */
function open({ entryFeeUsdc = FEE_MICRO / 1e6 }: { entryFeeUsdc?: number } = {}): Promise<OpenProject> {
  const deadline = new Date(clock.now().getTime() + DAY_MS - 1_000);
  return openProject(world, { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc, deadline, fields: { judging_hours: 24 } });
}

function journey(name: string, run: () => Promise<void>): void {
  time.join();
  it(name, () => run().finally(() => time.leave()));
}

async function begunJudging(project: OpenProject): Promise<void> {
  await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
}

const asOperator = (project: OpenProject, path: string, body: object) =>
  call(url, 'POST', `/operator/projects/${project.id}/${path}`, { key: operatorKey, body });

async function ends(ending: Ending): Promise<void> {
  await assertEnded(sceneOf(world), ending);
  earned.push(ending.platformFeeMicro + ending.feesKeptMicro);
}

describe('a project ends without a choice of its poster', { concurrency: true }, () => {
  journey('by silence: all fees back, capped shares, and the rest of the prize to the poster', async () => {
    const project = await open();
    const entries: Contestant[] = [];
    for (const seed of [1, 2, 3]) entries.push(await enter(world, project, { picture: await drawing(seed) }));
    const unconfirmed = await enter(world, project, { until: 'paid' });
    await time.passes();
    await begunJudging(project);
    await time.passes();
    // A third of the prize would be 3,166,666; the cap is ten times the fee.
    const [share, rest] = [10 * FEE_MICRO, RECEIVES_MICRO - 30 * FEE_MICRO];
    await ends({
      ...won(project, entries[0]!, 4),
      winner: null,
      selection: 'silence',
      payoutsMicro: [share, share, share],
      refundsMicro: [rest, FEE_MICRO, FEE_MICRO, FEE_MICRO, FEE_MICRO],
      feesKeptMicro: 0,
      fates: [
        ...entries.map((who, index): Fate => ({ who, status: 'shared', rank: index + 1, earningsMicro: share })),
        noEntry(unconfirmed),
      ],
      balances: [
        [project.funder.address, rest],
        ...entries.map((who) => wallet(who, FUNDS_MICRO + share)),
        wallet(unconfirmed, FUNDS_MICRO),
      ],
    });
    // Thumbnails of 240 pixels are the originals, and nobody has bought them.
    for (const [path, key] of [
      [`/posters/me/projects/${project.id}/submissions`, project.poster.key],
      [`/projects/${project.id}/submissions`, undefined],
    ] as const) {
      const { submissions } = expectStatus(await call(url, 'GET', path, key ? { key } : {}), 200).body.data;
      assert.equal(submissions.length, 3);
      for (const { thumbnail_url: thumbnail } of submissions) assert.match(thumbnail, /\/marked-thumbnail\?/);
    }
  });

  journey('by silence with so many entries that no share reaches the cap: the remainder to the earliest', async () => {
    const project = await open();
    const entries: Contestant[] = [];
    for (const seed of [11, 12, 13, 14, 15])
      entries.push(await enter(world, project, { picture: await drawing(seed) }));
    const later = await enter(world, project, { picture: await drawing(16) });
    await time.passes();
    await begunJudging(project);
    await time.passes();
    // 9,500,000 in six parts of 1,583,333, and 2 more to the earliest.
    const shares = [1_583_335, 1_583_333, 1_583_333, 1_583_333, 1_583_333, 1_583_333];
    const all = [...entries, later];
    await ends({
      ...won(project, later, 6),
      winner: null,
      selection: 'silence',
      payoutsMicro: shares,
      refundsMicro: all.map(() => FEE_MICRO),
      feesKeptMicro: 0,
      fates: all.map((who, index) => ({ who, status: 'shared', rank: index + 1, earningsMicro: shares[index]! })),
      balances: [[project.funder.address, 0], ...all.map((who, index) => wallet(who, FUNDS_MICRO + shares[index]!))],
    });
  });

  journey('by silence if it was free: nobody shares, and the platform keeps its fee', async () => {
    const project = await open({ entryFeeUsdc: 0 });
    const entries = [await enter(world, project), await enter(world, project, { seed: 2 })];
    await time.passes();
    await begunJudging(project);
    await time.passes();
    await ends({
      ...silent(project, 0),
      fates: entries.map((who) => ({ who, status: 'cancelled' })),
      balances: [[project.funder.address, RECEIVES_MICRO], ...entries.map((who) => wallet(who, FUNDS_MICRO))],
    });
  });

  journey('when the operator awards the prize while it is open: as if the poster had chosen', async () => {
    const project = await open();
    const [first, second] = [await enter(world, project), await enter(world, project, { seed: 2 })];
    const unconfirmed = await enter(world, project, { until: 'paid' });
    const body = { submission_id: second.submissionId, reason: 'The poster asked for it by mail' };
    for (const _ of [1, 2]) expectStatus(await asOperator(project, 'award', body), 200);
    const again = await asOperator(project, 'award', { ...body, submission_id: first.submissionId });
    assert.equal(again.body.error.code, 'PROJECT_STATE_CONFLICT');
    await ends({
      ...won(project, second, 3),
      selection: 'operator',
      refundsMicro: [FEE_MICRO],
      feesKeptMicro: 2 * FEE_MICRO,
      fates: [
        lost(first, 2),
        { who: second, status: 'won', rank: 1, earningsMicro: RECEIVES_MICRO },
        noEntry(unconfirmed),
      ],
      balances: [
        [project.funder.address, 0],
        wallet(first, LEFT_MICRO),
        wallet(second, LEFT_MICRO + RECEIVES_MICRO),
        wallet(unconfirmed, FUNDS_MICRO),
      ],
    });
  });

  journey('when the operator shares the prize: without caps, and every fee goes back', async () => {
    const project = await open();
    const [first, second] = [
      await enter(world, project, { picture: await drawing(21) }),
      await enter(world, project, { picture: await drawing(22) }),
    ];
    expectStatus(await close(world, project), 200);
    expectStatus(await asOperator(project, 'share', { reason: 'The poster is gone' }), 200);
    await ends({
      ...won(project, first, 2),
      winner: null,
      selection: 'shared',
      payoutsMicro: [RECEIVES_MICRO / 2, RECEIVES_MICRO / 2],
      refundsMicro: [FEE_MICRO, FEE_MICRO],
      feesKeptMicro: 0,
      fates: [first, second].map((who, index) => ({
        who,
        status: 'shared',
        rank: index + 1,
        earningsMicro: RECEIVES_MICRO / 2,
      })),
      balances: [
        [project.funder.address, 0],
        ...[first, second].map((who) => wallet(who, FUNDS_MICRO + RECEIVES_MICRO / 2)),
      ],
    });
  });

  journey('when the operator cancels it and keeps the platform fee', async () => {
    const project = await open();
    const entry = await enter(world, project);
    expectStatus(await asOperator(project, 'cancel', { reason: 'A stolen brief', keep_fee: true }), 200);
    await ends({
      ...silent(project, 1),
      cancelReason: 'A stolen brief',
      fates: [{ who: entry, status: 'cancelled' }],
      balances: [[project.funder.address, RECEIVES_MICRO], wallet(entry, FUNDS_MICRO)],
    });
  });
});

describe('in the end', () => {
  it('the treasury holds on chain exactly the platform’s revenue', async () => {
    const total = earned.reduce((sum, each) => sum + each, 0);
    assert.equal(earned.length, 6);
    assert.equal(await service.deps.chain.balanceMicro(service.deps.payTo), total);
    await assertBooks(world);
  });

  it('the service logged no errors', () => {
    assert.deepEqual(errors, []);
  });
});
