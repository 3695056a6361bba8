import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { projectOperations } from '../../contract/projects/projects.ts';
import type { Context } from '../deps.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { withTransaction } from '../db/transaction.ts';
import { getProject } from '../views/market/get-project.ts';
import { FUNDER, projectsWorld, refusal, refusedAlike } from '../../test/support/worlds/projects-world.ts';
import { findProjectForEntry, lockProjectForConfirmation, lockProjectForEntry } from './locks.ts';
import type { AgentCaller } from '../ports/callers.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const { params, output } = projectOperations.getProject;
const read = (id: string, by: Context<AgentCaller> = world.agent()) =>
  getProject(by, { params: params.parse({ projectId: id }) });

describe('getProject', () => {
  it('shows an open project in microdollars', async () => {
    const id = await world.published({ prize_amount: '100.000001', entry_fee: '0.010001', tags: ['bread'] });
    world.advance(60_000);
    const { project } = output.parse(await read(id));
    assert.deepEqual(
      [
        project.prize_amount,
        project.prize_amount_micro,
        project.entry_fee,
        project.entry_fee_micro,
        project.winner_receives_micro,
      ],
      [100_000_001, 100_000_001, 10_001, 10_001, 95_000_000],
    );
    assert.deepEqual([project.status, project.metadata.tags, project.total_submissions], ['open', ['bread'], 0]);
    assert.ok(!('funding_wallet' in project) && !('drafted_at' in project));
    assert.deepEqual([project.judging_hours, project.selection, project.ai_judge], [72, null, false]);
    assert.deepEqual([project.licence, project.gallery, project.terms_version], ['assignment', 'public', 1]);
    assert.deepEqual([project.poster.name, project.poster.projects], ['Test poster', 1]);
  });

  it('hides drafts, cancelled drafts, and projects in early access exactly as missing ones', async () => {
    const draft = await world.draft();
    const cancelled = await world.draft();
    await db`update projects set status = 'cancelled' where id = ${cancelled}`;
    const early = await world.published();
    world.advance(59_999);
    for (const tier of ['starter', 'pro'] as const) {
      await refusedAlike(
        [draft, cancelled, early, randomUUIDv7()].map((id) => read(id, world.agent(tier))),
        'PROJECT_NOT_FOUND',
      );
    }
    await refusedAlike(
      [draft, cancelled].map((id) => read(id, world.agent('elite'))),
      'PROJECT_NOT_FOUND',
    );
    assert.equal((await read(early, world.agent('elite'))).project.id, early);
    world.advance(1);
    assert.equal((await read(early)).project.id, early);
  });
});

describe('the steps for submissions', () => {
  it('return what an entry depends on, if the agent may see the project', async () => {
    const id = await world.published();
    const found = await findProjectForEntry(db, { projectId: id, tier: 'elite', now: world.at() });
    assert.deepEqual(found, {
      id,
      posterId: world.poster.caller.posterId,
      confirmGraceSeconds: 30,
      status: 'open',
      closesAt: null,
      autoSelectDeadline: new Date('2026-03-08T12:00:00Z'),
      visibleAt: world.at(60_000),
      entryFeeMicro: 250_000,
      network: world.deps.network.id,
      asset: world.deps.network.usdc.address,
      payTo: world.deps.payTo,
      fundingWallet: FUNDER,
      prizeMicro: 100_000_000,
      platformFeePpm: 50_000,
      totalSubmissions: 0,
      maxEntries: null,
      placesTaken: 0,
      itemCount: 1,
      termsHash: found.termsHash,
    });
    assert.match(found.termsHash ?? '', /^sha256:[0-9a-f]{64}$/);
    const visitor = { projectId: id, tier: 'starter' as const, now: world.at() };
    await refusal(findProjectForEntry(db, visitor), 'PROJECT_NOT_FOUND');
    await refusal(
      withTransaction(db, (tx) => lockProjectForEntry(tx, visitor)),
      'PROJECT_NOT_FOUND',
    );
    const later = { ...visitor, now: world.at(60_000) };
    assert.deepEqual(await withTransaction(db, (tx) => lockProjectForEntry(tx, later)), found);
    const draft = await world.draft();
    await refusal(
      withTransaction(db, (tx) => lockProjectForConfirmation(tx, draft)),
      'PROJECT_NOT_FOUND',
    );
  });
});
