import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import {
  asPoster,
  choose,
  close,
  type Contestant,
  enter,
  FUNDS_MICRO,
  review,
} from '../support/clients/contestants.ts';
import {
  assertBooks,
  assertEnded,
  type Ending,
  type Fate,
  ownProject,
  sceneOf,
  sharedTime,
} from '../support/endings/ending.ts';
import {
  type DraftOptions,
  drawing,
  expectStatus,
  openProject,
  type OpenProject,
  registerAgent,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import {
  PRIZE_MICRO,
  RECEIVES_MICRO,
  FEE_MICRO,
  LEFT_MICRO,
  won,
  givenBack,
  lost,
  noEntry,
  wallet,
} from '../support/endings/expected-endings.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Every way in which a project ends, over HTTP and to the last microdollar. All projects run at once in one market.

const DAY_MS = 86_400_000;
const world = await startWorld({
  env: {
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_PUBLIC_READS_PER_MINUTE: '100000',
    LIMIT_AGENT_PER_MINUTE: '100000',
  },
});
const { url, operatorKey, clock, service, errors } = world;
// One day, plus the grace period for paid entries without confirmation.
const time = sharedTime(clock, DAY_MS + 60_000);
/** The platform's revenue from each project. */
const earned: number[] = [];

/** Opens a project. Its deadline passes with the next step of time, its judging deadline with the one after. */
function open({ entryFeeUsdc = FEE_MICRO / 1e6, ...options }: DraftOptions = {}): Promise<OpenProject> {
  const fields = { judging_hours: 24, ...options.fields };
  const deadline = new Date(clock.now().getTime() + DAY_MS - 1_000);
  return openProject(world, { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc, deadline, ...options, fields });
}

function journey(name: string, run: () => Promise<void>): void {
  time.join();
  it(name, () => run().finally(() => time.leave()));
}

async function begunJudging(project: OpenProject): Promise<void> {
  await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
}

/** Asserts that the agents' detail, the public detail, and the operator's list say who cancelled the project, and why. */
async function assertCancelledBy({ id }: OpenProject, cancelledBy: 'poster' | 'operator' | 'timer'): Promise<void> {
  const { key } = await registerAgent(url);
  const answers = await Promise.all([
    call(url, 'GET', `/agents/projects/${id}`, { key }),
    call(url, 'GET', `/projects/${id}`),
    call(url, 'GET', `/operator/projects/${id}`, { key: operatorKey }),
  ]);
  const told = answers.map((answer) => {
    const { project, projects } = expectStatus(answer, 200).body.data;
    const { cancelled_by, cancelled_at, cancel_reason } = project ?? projects[0];
    return { by: cancelled_by, at: typeof cancelled_at, reason: cancel_reason };
  });
  const expected = { by: cancelledBy, at: 'string', reason: told[0]!.reason };
  assert.deepEqual(told, [expected, expected, expected]);
}

async function ends(ending: Ending): Promise<void> {
  await assertEnded(sceneOf(world), ending);
  earned.push(ending.platformFeeMicro + ending.feesKeptMicro);
}

describe('a project ends', { concurrency: true }, () => {
  journey('when its poster chooses: the prize to the winner, the fees to the platform', async () => {
    const project = await open();
    const [first, second] = [await enter(world, project), await enter(world, project, { seed: 2 })];
    expectStatus(await review(world, project, first, 2), 200);
    expectStatus(await review(world, project, first, 3), 200);
    expectStatus(await close(world, project), 200);
    expectStatus(await choose(world, project, second), 200);
    await ends({
      ...won(project, second, 2),
      selection: 'poster',
      fates: [
        { ...lost(first, 2), score: 3, feedback: 'Worth 3' },
        { who: second, status: 'won', rank: 1, earningsMicro: RECEIVES_MICRO },
      ],
      balances: [[project.funder.address, 0], wallet(first, LEFT_MICRO), wallet(second, LEFT_MICRO + RECEIVES_MICRO)],
    });
  });

  journey(
    'by its scores when nobody chooses: the earlier of two that are equal; an unconfirmed fee is kept',
    async () => {
      const project = await open();
      const [low, early, late] = [
        await enter(world, project),
        await enter(world, project, { seed: 2 }),
        await enter(world, project, { seed: 3 }),
      ];
      const unconfirmed = await enter(world, project, { seed: 4, until: 'paid' });
      expectStatus(await review(world, project, low, 3), 200);
      expectStatus(await review(world, project, late, 5), 200);
      expectStatus(await review(world, project, early, 5), 200);
      await time.passes();
      await begunJudging(project);
      await time.passes();
      await ends({
        ...won(project, early, 4),
        selection: 'scores',
        fates: [
          { ...lost(low, 3), score: 3, feedback: 'Worth 3' },
          { who: early, status: 'won', rank: 1, score: 5, feedback: 'Worth 5', earningsMicro: RECEIVES_MICRO },
          { ...lost(late, 2), score: 5, feedback: 'Worth 5' },
          noEntry(unconfirmed),
        ],
        balances: [
          [project.funder.address, 0],
          wallet(early, LEFT_MICRO + RECEIVES_MICRO),
          ...[low, late, unconfirmed].map((who) => wallet(who, LEFT_MICRO)),
        ],
      });
    },
  );

  journey(
    'when its deadline passes and nobody has entered: the prize back; the fee of who never confirmed is kept',
    async () => {
      const project = await open();
      const [unpaid, unconfirmed] = [
        await enter(world, project, { until: 'intent' }),
        await enter(world, project, { until: 'paid' }),
      ];
      await time.passes();
      // The grace period of the paid entry.
      await time.passes();
      await ends({
        ...givenBack(project, 'No entry was submitted before the deadline.', 1),
        refundsMicro: [PRIZE_MICRO],
        feesKeptMicro: FEE_MICRO,
        fates: [noEntry(unpaid), noEntry(unconfirmed)],
        balances: [[project.funder.address, PRIZE_MICRO], wallet(unpaid, FUNDS_MICRO), wallet(unconfirmed, LEFT_MICRO)],
      });
      await assertCancelledBy(project, 'timer');
    },
  );

  journey('when its poster cancels it, before anybody has paid', async () => {
    const project = await open();
    const unpaid = await enter(world, project, { until: 'intent' });
    expectStatus(await asPoster(world, project, ['POST', '/cancel', { reason: 'Another agency' }]), 200);
    await ends({
      ...givenBack(project, 'Another agency', 0),
      fates: [noEntry(unpaid)],
      balances: [[project.funder.address, PRIZE_MICRO], wallet(unpaid, FUNDS_MICRO)],
    });
    await assertCancelledBy(project, 'poster');
  });

  journey('when the operator cancels it, with fees paid: everybody gets everything back', async () => {
    const project = await open();
    const [first, second, unconfirmed] = [
      await enter(world, project),
      await enter(world, project, { seed: 2 }),
      await enter(world, project, { until: 'paid' }),
    ];
    expectStatus(await close(world, project), 200);
    // Judging begins when the grace period of the unconfirmed entry ends.
    await time.passes();
    await begunJudging(project);
    const body = { reason: 'Stolen brief' };
    expectStatus(await call(url, 'POST', `/operator/projects/${project.id}/cancel`, { key: operatorKey, body }), 200);
    await ends({
      ...givenBack(project, 'Stolen brief', 3),
      fates: [{ who: first, status: 'cancelled' }, { who: second, status: 'cancelled' }, noEntry(unconfirmed)],
      balances: [
        [project.funder.address, PRIZE_MICRO],
        ...[first, second, unconfirmed].map((who) => wallet(who, FUNDS_MICRO)),
      ],
    });
    await assertCancelledBy(project, 'operator');
  });

  journey(
    'by silence: the fees of all entries back, capped shares, and the rest of the prize to the poster',
    async () => {
      const project = await open();
      const entries: Contestant[] = [];
      for (const seed of [1, 2, 3]) entries.push(await enter(world, project, { picture: await drawing(seed) }));
      const unconfirmed = await enter(world, project, { until: 'paid' });
      await time.passes();
      await begunJudging(project);
      await time.passes();
      // A third of the prize would be 3,166,666; the cap is three times the fee.
      const [share, rest] = [3 * FEE_MICRO, RECEIVES_MICRO - 9 * FEE_MICRO];
      await ends({
        ...won(project, entries[0]!, 4),
        winner: null,
        selection: 'silence',
        payoutsMicro: [share, share, share],
        refundsMicro: [rest, FEE_MICRO, FEE_MICRO, FEE_MICRO],
        // The fee of the agent that never confirmed.
        feesKeptMicro: FEE_MICRO,
        fates: [
          ...entries.map((who, index): Fate => ({ who, status: 'shared', rank: index + 1, earningsMicro: share })),
          noEntry(unconfirmed),
        ],
        balances: [
          [project.funder.address, rest],
          ...entries.map((who) => wallet(who, FUNDS_MICRO + share)),
          wallet(unconfirmed, LEFT_MICRO),
        ],
      });
    },
  );
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
