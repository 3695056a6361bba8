import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { choose, close, closeAndChoose, type Contestant, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { type GalleryPage, galleryPage } from '../support/clients/gallery.ts';
import { drawing, expectStatus, openProject, type OpenProject, ownProject } from '../support/clients/journey.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// What a poster and the operator do with entries, and who sees them. The rules are tested in server/judging.

const world = await sharedWorld();
const { url, operatorKey } = world;
const chain = chainAt(world.rpcUrl);

const own = ({ id }: Pick<OpenProject, 'id'>) => `/posters/me/projects/${id}`;
const review = (project: OpenProject, submissionId: string, body: object) =>
  call(url, 'PUT', `${own(project)}/submissions/${submissionId}/review`, { key: project.poster.key, body });
const note = (project: OpenProject, submissionId: string, body: object) =>
  call(url, 'PATCH', `${own(project)}/submissions/${submissionId}/note`, { key: project.poster.key, body });
const operator = (project: OpenProject, path: string, reason = 'Against the rules') =>
  call(url, 'POST', `/operator/projects/${project.id}/${path}`, { key: operatorKey, body: { reason } });
const possibleActs = async ({ id }: OpenProject) =>
  (await call(url, 'GET', `/operator/projects/${id}`, { key: operatorKey })).body.data.project.acts;
const publicly = (id: string, query = '') => call(url, 'GET', `/projects/${id}/submissions${query}`);

const freeProject = (fields: object = {}) => openProject(world, { entryFeeUsdc: 0, fields: { ...fields } });
const becomes = (project: OpenProject, status: string, payout = 'settled') =>
  until(`${status} ${payout}`, async () => {
    const shown = await ownProject(world, project);
    return shown['status'] === status && shown['payout_status'] === payout && shown;
  });

/** Enters confirmed entries with different pictures, one after the other. */
async function enterAll(project: OpenProject, count: number, wallet: 'own' | 'none' = 'own') {
  const entries: Contestant[] = [];
  for (let seed = 1; seed <= count; seed += 1)
    entries.push(await enter(world, project, { picture: await drawing(seed), wallet }));
  return entries as [Contestant, ...Contestant[]];
}

const idsOf = ({ submissions }: Pick<GalleryPage, 'submissions'>) => submissions.map(({ id }) => id);

describe('a project from its gallery to a paid winner', async () => {
  const project = await openProject(world, { prizeUsdc: 2 });
  const entries = await enterAll(project, 4);
  const [first, second, third, fourth] = entries.map(({ submissionId }) => submissionId) as [
    string,
    string,
    string,
    string,
  ];
  const page = (query = '') => galleryPage(url, project.poster.key, project.id, query);

  it('shows confirmed entries to its poster, the earliest first, with everything that judging needs', async () => {
    const { submissions, counts, has_more, next_cursor } = await page();
    assert.deepEqual(idsOf({ submissions }), [first, second, third, fourth]);
    assert.deepEqual([counts, has_more, next_cursor], [{ total: 4, unscored: 4 }, false, null]);
    const { image_url, thumbnail_url, urls_expire_at, submitted_at, generation_time_seconds, items, ...rest } =
      submissions[0]!;
    const { content_type, size_bytes } = rest as Record<string, unknown>;
    assert.ok(content_type === 'image/png' && Number(size_bytes) > 100, JSON.stringify([content_type, size_bytes]));
    assert.deepEqual(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)), {
      id: first,
      project_id: project.id,
      title: 'Lighthouse at dusk',
      status: 'submitted',
      width: 240,
      height: 180,
      content_type,
      size_bytes,
      agent: { id: entries[0].id, name: 'Test agent' },
      entry_fee_paid: 250_000,
      agent_has_wallet: true,
      earnings_micro: 0,
    });
    assert.deepEqual(items, [{ item: 1, image_url, thumbnail_url, width: 240, height: 180, content_type, size_bytes }]);
    assert.ok(image_url !== thumbnail_url && Number(generation_time_seconds) >= 0);
    assert.match(`${String(submitted_at)} ${urls_expire_at}`, /^\d{4}-\S+Z \d{4}-\S+Z$/);
    assert.equal((await page()).submissions[0]!.image_url, image_url, 'the same URL, so that a browser has it cached');
  });

  it('is filtered by remaining work, and paged by cursor', async () => {
    const { body } = expectStatus(await review(project, first, { score: 4, feedback: 'Between us.' }), 200);
    assert.deepEqual([body.data.review.score, body.data.review.feedback], [4, 'Between us.']);
    const told = expectStatus(await operator(project, `submissions/${second}/disqualify`, 'A copy.'), 200);
    assert.equal(told.body.data.submission.disqualify_reason, 'A copy.');
    codeIs(await review(project, second, { score: 5 }), 409, 'PROJECT_STATE_CONFLICT', /disqualified/);
    assert.deepEqual(idsOf(await page('?filter=unscored')), [third, fourth]);
    assert.deepEqual(idsOf(await page('?filter=scored')), [first]);
    assert.deepEqual(idsOf(await page('?filter=disqualified')), [second]);
    const all = await page('?filter=all&limit=3');
    assert.deepEqual(idsOf(all), [first, second, third]);
    assert.deepEqual([all.counts, all.has_more], [{ total: 4, unscored: 2 }, true]);
    assert.deepEqual([all.submissions[0]!['score'], all.submissions[0]!['feedback']], [4, 'Between us.']);
    assert.equal(all.submissions[1]!['disqualify_reason'], 'A copy.');
    const rest = await page(`?filter=all&limit=3&cursor=${all.next_cursor}`);
    assert.deepEqual([idsOf(rest), rest.has_more, rest.next_cursor], [[fourth], false, null]);
    const { key } = project.poster;
    for (const query of ['filter=best', 'limit=0', 'limit=51', 'limit=x', 'cursor=x'])
      codeIs(await call(url, 'GET', `${own(project)}/submissions?${query}`, { key }), 400, 'INVALID_PARAMETER');
  });

  it('pays the chosen winner on chain, and then shows the entries to everybody', async () => {
    const winner = entries[2]!;
    assert.equal(expectStatus(await close(world, project), 200).body.data.project.status, 'judging');
    codeIs(await publicly(project.id), 404, 'PROJECT_NOT_FOUND');
    const chosen = expectStatus(await choose(world, project, winner), 200).body.data.project;
    assert.deepEqual([chosen.selection, chosen.winner_submission_id], ['poster', third]);
    const { payouts } = await becomes(project, 'completed');
    const [{ tx_hash: hash, ...payout }, ...more] = payouts as [Record<string, unknown>];
    assert.match(String(hash), /^0x[0-9a-f]{64}$/);
    assert.deepEqual([payout['submission_id'], payout['amount_micro'], more], [third, 1_900_000, []]);
    assert.equal(await chain.balanceMicro(winner.payer.address), 1_000_000 - 250_000 + 1_900_000);
    assert.equal((await page()).submissions.find(({ id }) => id === third)?.['payout_tx_hash'], hash);

    const answer = expectStatus(await publicly(project.id), 200);
    const { submissions, counts } = answer.body.data as GalleryPage;
    assert.deepEqual([idsOf({ submissions }), counts], [[third, first, fourth], { total: 3 }]);
    const [shown, scored] = submissions;
    assert.deepEqual(
      [shown?.['outcome'], shown?.['rank'], shown?.['earnings_micro'], scored?.['score'], scored?.['score_source']],
      ['won', 1, 1_900_000, 4, 'poster'],
    );
    assert.doesNotMatch(JSON.stringify(answer.body), /Between us|feedback|disqualif|A copy/);
    const paged = (await publicly(project.id, '?limit=2')).body.data as GalleryPage;
    const rest = (await publicly(project.id, `?limit=2&cursor=${paged.next_cursor}`)).body.data as GalleryPage;
    assert.deepEqual([...idsOf(paged), ...idsOf(rest)], idsOf({ submissions }));
  });
});

describe('a prize without a linked wallet', () => {
  it('waits, as the poster reads', async () => {
    const project = await freeProject();
    const [entry] = await enterAll(project, 1, 'none');
    const { payout_status, payouts } = expectStatus(await closeAndChoose(world, project, entry), 200).body.data.project;
    const waits = { amount_micro: 950_000, status: 'waiting_for_wallet', tx_hash: null };
    assert.equal(payout_status, 'waiting_for_wallet');
    assert.deepEqual(payouts, [{ kind: 'prize', submission_id: entry.submissionId, ...waits }]);
    assert.deepEqual(await possibleActs(project), ['reopen']);
  });
});

describe('notes on entries', () => {
  it('are shown to their poster, and to nobody else', async () => {
    const project = await freeProject();
    const [one, two] = (await enterAll(project, 2)) as [Contestant, Contestant];
    expectStatus(await note(project, one.submissionId, { mark: 'shortlist' }), 200);
    const drafted = expectStatus(await note(project, one.submissionId, { feedback_draft: 'Private: too dark' }), 200);
    assert.deepEqual(
      [drafted.body.data.note.mark, drafted.body.data.note.feedback_draft],
      ['shortlist', 'Private: too dark'],
    );
    expectStatus(await note(project, two.submissionId, { mark: 'out' }), 200);
    const { submissions } = await galleryPage(url, project.poster.key, project.id);
    assert.deepEqual(
      submissions.map((entry) => [entry['mark'], entry['feedback_draft'], entry['feedback']]),
      [
        ['shortlist', 'Private: too dark', null],
        ['out', null, null],
      ],
    );
    for (const body of [{}, { mark: 'best' }, { feedback_draft: 'x'.repeat(2001) }, { score: 3 }])
      codeIs(await note(project, one.submissionId, body), 400, 'VALIDATION_ERROR');
    expectStatus(await closeAndChoose(world, project, two), 200);
    await becomes(project, 'completed');
    const others = [
      await call(url, 'GET', `/operator/submissions?project_id=${project.id}`, { key: operatorKey }),
      await call(url, 'GET', `/agents/me/submissions/${one.submissionId}`, { key: one.key }),
      await call(url, 'GET', '/agents/me/history', { key: one.key }),
      await publicly(project.id),
    ];
    for (const answer of others)
      assert.doesNotMatch(JSON.stringify(expectStatus(answer, 200).body), /too dark|shortlist|"mark"|feedback_draft/);
  });
});

describe('a project that the operator cancels', () => {
  it('refunds the prize and the fees', async () => {
    const project = await openProject(world);
    const [entry] = await enterAll(project, 1);
    expectStatus(await close(world, project), 200);
    codeIs(
      await operator(project, `submissions/${entry.submissionId}/disqualify`),
      409,
      'PROJECT_STATE_CONFLICT',
      /last/,
    );
    assert.deepEqual(await possibleActs(project), ['share']);
    codeIs(await operator(project, 'cancel', ' '), 400, 'VALIDATION_ERROR', /reason/);
    const cancelled = expectStatus(await operator(project, 'cancel', 'Stolen brief'), 200).body.data.project;
    assert.deepEqual([cancelled.status, cancelled.cancel_reason], ['cancelled', 'Stolen brief']);
    await becomes(project, 'cancelled');
    assert.deepEqual(await possibleActs(project), []);
    for (const { address } of [project.funder, entry.payer])
      assert.equal(await chain.balanceMicro(address), 1_000_000, address);
    codeIs(await choose(world, project, entry), 409, 'PROJECT_STATE_CONFLICT', /cancelled/);
    codeIs(await publicly(project.id), 404, 'PROJECT_NOT_FOUND');
  });
});

describe('an entry with the bytes of an earlier one', () => {
  it('is shown to the poster beside the earlier one; neither entry changes by itself', async () => {
    const project = await freeProject();
    const picture = await drawing(Date.now() % 1_000_000);
    const first = await enter(world, project, { picture });
    await enter(world, project, { picture });
    await enter(world, project, { picture: await drawing(Date.now() % 1_000_000) });
    const { submissions } = await galleryPage(url, project.poster.key, project.id);
    assert.deepEqual(
      submissions.map(({ resembles, disqualified_at }) => [resembles, disqualified_at]),
      [
        [null, null],
        [{ submission_id: first.submissionId, exact: true }, null],
        [null, null],
      ],
    );
  });
});
