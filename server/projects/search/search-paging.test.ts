import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import fc from 'fast-check';
import { insertProject } from '../../../test/support/rows/rows.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { FUNDER, projectsWorld, START } from '../../../test/support/worlds/projects-world.ts';
import { forgetSearches, keptPage } from '../../kept.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import { projectOperations } from '../../../contract/projects/projects.ts';
import { withTransaction } from '../../db/transaction.ts';
import { getProject } from '../market/get-project.ts';
import { countSubmission, transition } from '../queries.ts';
import { updateProject } from '../../judging/update-project.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);

// The clock is later than every time below, so no sampleProject is in early access.
world.advance(1000);

const NAMES = ['logo-design', 'illustration', 'portrait'];

/** The fields have few values, so that most rows tie. */
const sampleProject = fc.record({
  number: fc.bigInt({ min: 0n, max: 2n ** 48n - 1n }),
  createdMs: fc.integer({ min: 0, max: 3 }),
  prize: fc.integer({ min: 1, max: 3 }),
  fee: fc.integer({ min: 0, max: 2 }),
  specializations: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
  status: fc.constantFrom('open', 'judging', 'completed'),
});

const distinct = (lengths: { minLength?: number; maxLength: number }) =>
  fc.uniqueArray(sampleProject, { ...lengths, selector: ({ number }) => number });

type Sample = Parameters<Parameters<typeof sampleProject.map>[0]>[0];
const idOf = ({ number }: Sample) => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

async function insert(samples: Sample[]): Promise<void> {
  const addresses = { asset: FUNDER, pay_to: FUNDER, funding_wallet: FUNDER };
  const shared = { poster_id: world.poster.caller.posterId, network: 'eip155:84532', ...addresses };
  const ai_analysis = db.json({ complexity_score: 1, estimated_hours: 1 });
  const inserted = samples.map((sample) => {
    const { prize: prize_micro, fee: entry_fee_micro, specializations, status } = sample;
    const at = new Date(START + sample.createdMs);
    const own = { id: idOf(sample), prize_micro, entry_fee_micro, specializations, status, ai_analysis };
    return insertProject(db, at, { ...shared, ...own, published_at: at, visible_at: at });
  });
  await Promise.all(inserted);
}

async function remove(ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db`delete from projects where id = any(${ids}::uuid[])`;
}

const orders = [
  { order_by: 'created_at', value: (sample: Sample) => sample.createdMs },
  { order_by: 'prize_amount', value: (sample: Sample) => sample.prize },
  { order_by: 'entry_fee', value: (sample: Sample) => sample.fee },
];

const filters = [
  {},
  { status: 'open,completed' },
  { specializations: 'logo-design,portrait' },
  { specializations: 'logo-design,portrait', specializations_match: 'ALL', status: 'open' },
  { min_prize_amount: '0.000002' },
  { specializations: 'logo-design,illustration,portrait', min_entry_fee: '0.000001', max_total_submissions: '5' },
];

function matches(sample: Sample, filter: (typeof filters)[number]): boolean {
  const named = filter.specializations?.split(',') ?? [];
  const has = (name: string) => sample.specializations.includes(name);
  if (named.length > 0 && !(filter.specializations_match === 'ALL' ? named.every(has) : named.some(has))) return false;
  if (filter.status && !filter.status.split(',').includes(sample.status)) return false;
  return sample.prize >= (filter.min_prize_amount ? 2 : 0) && sample.fee >= (filter.min_entry_fee ? 1 : 0);
}

const elite = world.agent('elite');

/** Checks that search shows the same as detail. */
async function assertShownAlike(id: string): Promise<void> {
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

const second = (ms: number) => new Date(1_000_000 + ms);

it('paging by cursor returns every row that stays exactly once, in each order, while others come and go', async () => {
  const runs = fc.record({
    order: fc.constantFrom(...orders),
    order_direction: fc.constantFrom('asc', 'desc'),
    first: distinct({ minLength: 5, maxLength: 25 }),
    // After each page, some projects appear and some vanish.
    meanwhile: fc.array(
      fc.record({
        added: distinct({ maxLength: 4 }),
        vanishing: fc.array(fc.nat(40), { maxLength: 3 }),
      }),
      { maxLength: 6 },
    ),
    limit: fc.integer({ min: 1, max: 7 }),
    filter: fc.constantFrom(...filters),
  });
  await fc.assert(
    fc.asyncProperty(runs, async ({ order: { order_by, value }, order_direction, first, meanwhile, limit, filter }) => {
      await remove((await db<{ id: string }[]>`select id from projects`).map((row) => row.id));
      await insert(first);
      const known = new Map(first.map((sample) => [idOf(sample), sample]));
      const staying = new Set(known.keys());
      const seen: string[] = [];
      const query = { ...filter, order_by, order_direction, limit: String(limit) };
      let cursor: string | null = null;
      for (let turn = 0; turn === 0 || cursor !== null; turn += 1) {
        const page = await world.search(cursor === null ? query : { ...query, cursor });
        seen.push(...page.projects.map((found) => found.id));
        cursor = page.pagination.next_cursor;
        assert.equal(page.pagination.has_more, cursor !== null);
        const { added = [], vanishing = [] } = meanwhile[turn] ?? {};
        const gone = vanishing.flatMap((index) => [...staying][index] ?? []);
        await remove(gone);
        for (const id of gone) staying.delete(id);
        const fresh = added.filter((sample) => !known.has(idOf(sample)));
        for (const sample of fresh) known.set(idOf(sample), sample);
        await insert(fresh);
      }
      assert.equal(new Set(seen).size, seen.length, 'a row came twice');
      const shown = seen.map((id) => known.get(id) ?? assert.fail(`unknown ${id}`));
      assert.ok(
        shown.every((sample) => matches(sample, filter)),
        'a row does not match',
      );
      const missing = [...staying].filter((id) => matches(known.get(id)!, filter) && !seen.includes(id));
      assert.deepEqual(missing, []);
      const sign = order_direction === 'asc' ? 1 : -1;
      const sorted = shown.toSorted((a, b) => sign * (value(a) - value(b) || (idOf(a) < idOf(b) ? -1 : 1)));
      assert.deepEqual(shown.map(idOf), sorted.map(idOf));
    }),
    { numRuns: 40 },
  );
});

it('a project in a search shows the same in search and in detail after every change', async () => {
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

it('a cached page answers all requests of one second, and is made again after a failure', async () => {
  let runs = 0;
  const make = async () => Buffer.from(String((runs += 1)));
  const page = async (key: string, ms: number) => String(await keptPage(db, { key, now: second(ms) }, make));
  assert.deepEqual(await Promise.all([0, 0, 500, 999].map((ms) => page('a', ms))), ['1', '1', '1', '1']);
  assert.deepEqual([await page('b', 0), await page('a', 1000)], ['2', '3']);
  // After the clock was set back, the page is not fresh.
  assert.equal(await page('a', 0), '4');
  const fail = () => Promise.reject(new Error('the database is away'));
  await assert.rejects(keptPage(db, { key: 'c', now: second(0) }, fail), /away/);
  assert.equal(await page('c', 0), '5');
  forgetSearches(db);
  assert.equal(await page('a', 0), '6');
});
