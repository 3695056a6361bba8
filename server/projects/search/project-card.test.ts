import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { usdcNumber } from '../../../contract/basics/money.ts';
import { projectOperations } from '../../../contract/projects/projects.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { withTransaction } from '../../db/transaction.ts';
import { getProject } from '../../views/market/get-project.ts';
import { projectsWorld } from '../../../test/support/worlds/projects-world.ts';
import { transition, countSubmission } from '../queries.ts';
import { updateProject } from '../../judging/update-project.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const elite = world.agent('elite');

/** Checks that search, which bypasses the output schema, shows the same as detail, which does not. */
async function assertShownAlike(id: string): Promise<void> {
  // Skips the page that an earlier search of the same second cached.
  world.advance(1000);
  const { projects } = await world.search({ limit: '50' }, elite);
  const found = projects.find((project) => project.id === id) ?? assert.fail('not found');
  const { project } = projectOperations.getProject.output.parse(await getProject(elite, { params: { projectId: id } }));
  const { cancel_reason, cancelled_at, cancelled_by, latest_deadline, result_on_hold } = project;
  assert.deepEqual([cancel_reason, cancelled_at, cancelled_by], [null, null, null]);
  assert.deepEqual([latest_deadline !== null, result_on_hold], [true, null]);
  const { poster_no_winner: noWinner, ...card } = found;
  assert.equal(noWinner, project.poster.no_winner);
  const detailOnly = Object.entries(project).filter(([name]) => !Object.hasOwn(card, name));
  assert.deepEqual(detailOnly.map(([name]) => name).toSorted(), DETAIL_ONLY);
  assert.deepEqual(
    { ...card, ...Object.fromEntries(detailOnly) },
    { ...project, prize_amount: usdcNumber(project.prize_amount), entry_fee: usdcNumber(project.entry_fee) },
  );
}

/** The fields that a page of projects does not show, because they depend on more than the project's row or are long. */
const DETAIL_ONLY = [
  'ai_judge',
  'awarded_at',
  'cancel_reason',
  'cancelled_at',
  'cancelled_by',
  'closed_at',
  'gallery',
  'judging_ends_at',
  'judging_hours',
  'latest_deadline',
  'no_winner_reason',
  'poster',
  'reference_pictures',
  'result_on_hold',
  'selection',
  'terms',
  'terms_hash',
  'terms_version',
  'winner_receives_micro',
];

describe('a project in a search', () => {
  it('shows the same in search and in detail after every change', async () => {
    const id = await world.published({
      title: 'Quotes " and \\ and </script>',
      description: 'Line\nbreaks, tabs\t, controls \u0001\u001f, \u2028, emoji 🥐, and "specializations":[] in text.',
      prize_amount: '999999.999999',
      entry_fee: '0.010001',
      style_references: ['https://example.com/?a="b"&c=\\'],
      color_preferences: ['"red"', '{blue}', 'NULL'],
      tags: ['a,b', ''.padStart(50, '"')],
    });
    await assertShownAlike(id);
    await withTransaction(db, (tx) => countSubmission(tx, id, { takesPlace: false, now: world.at(7) }));
    await assertShownAlike(id);
    // At the end of entries that its poster announced, the project would accept no later deadline.
    await db`update projects set max_entries = 10, places_taken = 4, closes_at = ${world.at(60_000)} where id = ${id}`;
    await assertShownAlike(id);
    await db`update projects set places_taken = 11, closes_at = null where id = ${id}`;
    await assertShownAlike(id);
    const body = { auto_select_deadline: new Date('2026-03-30T23:59:59.009Z') };
    await updateProject(world.poster, { params: { project_id: id }, body });
    await assertShownAlike(id);
    for (const [from, to] of [
      ['open', 'judging'],
      ['judging', 'completed'],
    ] as const) {
      const set = to === 'completed' ? { completed_at: world.at(), winner_submission_id: randomUUIDv7() } : {};
      await withTransaction(db, (tx) =>
        transition(tx, { projectId: id, from, to, actor: 'test', reason: null, at: world.at(), set }),
      );
      await assertShownAlike(id);
    }
  });
});
