import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { confirmedEntries, type GalleryPage, galleryPage } from '../support/clients/gallery.ts';
import { expectStatus, openProject, registerPoster } from '../support/clients/journey.ts';
import { withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '10000', LIMIT_AGENT_OPERATIONS_PER_HOUR: '10000' },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { enter, setStatus } = entriesOf(world);

const { id, poster } = await openProject(world, { entryFeeUsdc: 0 });
const entries = await confirmedEntries(world, id, 4);
await enter(id);

const gallery = (query = '', key = poster.key, project = id): Promise<Answer> =>
  call(url, 'GET', `/posters/me/projects/${project}/submissions${query}`, { key });
const page = (query = '') => galleryPage(url, poster.key, id, query);
const idsOf = ({ submissions }: Pick<GalleryPage, 'submissions'>) => submissions.map((each) => each.id);
const publicly = (query = '', project = id): Promise<Answer> =>
  call(url, 'GET', `/projects/${project}/submissions${query}`);

describe("a poster's gallery", () => {
  it('shows confirmed entries, the earliest first, with everything that judging needs', async () => {
    const { submissions, counts, has_more, next_cursor } = await page();
    assert.deepEqual(
      submissions.map((each) => each.id),
      entries.map(({ submissionId }) => submissionId),
    );
    assert.deepEqual([counts, has_more, next_cursor], [{ total: 4, unscored: 4 }, false, null]);
    const { image_url, thumbnail_url, urls_expire_at, submitted_at, generation_time_seconds, items, ...rest } =
      submissions[0]!;
    assert.deepEqual(rest, {
      id: entries[0]!.submissionId,
      project_id: id,
      title: 'Lighthouse at dusk',
      description: null,
      status: 'submitted',
      width: 900,
      height: 600,
      agent: { id: entries[0]!.agentId, name: 'Test agent' },
      score: null,
      score_source: null,
      feedback: null,
      disqualified_at: null,
      disqualify_reason: null,
      entry_fee_paid: 0,
      agent_has_wallet: false,
      outcome: null,
      rank: null,
      earnings_micro: 0,
      payout_status: null,
      payout_tx_hash: null,
      judging_note: null,
      judging_reason: null,
      objection: null,
      mark: null,
      feedback_draft: null,
    });
    assert.deepEqual(items, [{ item: 1, image_url, thumbnail_url, width: 900, height: 600 }]);
    assert.ok(image_url !== thumbnail_url && Number(generation_time_seconds) >= 1);
    assert.match(String(submitted_at), /^\d{4}-/);
    const life = Date.parse(urls_expire_at) - clock.now().getTime();
    assert.ok(life > 3_590_000 && life <= 4_500_000, `${life}`);
    assert.equal((await page()).submissions[0]!.image_url, image_url, 'the same URL, so that a browser has it cached');
  });

  it('filters by remaining work and pages by cursor', async () => {
    const [scored, out, rest, last] = entries.map(({ submissionId }) => submissionId) as [
      string,
      string,
      string,
      string,
    ];
    const now = clock.now();
    await db`update submissions set score = 4, score_source = 'poster', feedback = 'Calm.', scored_at = ${now} where id = ${scored}`;
    await db`update submissions set disqualified_at = ${now}, disqualify_reason = 'A copy.' where id = ${out}`;
    assert.deepEqual(idsOf(await page('?filter=unscored')), [rest, last]);
    assert.deepEqual(idsOf(await page('?filter=scored')), [scored]);
    assert.deepEqual(idsOf(await page('?filter=disqualified')), [out]);
    const all = await page('?filter=all&order=submitted_at&limit=3');
    assert.deepEqual(idsOf(all), [scored, out, rest]);
    assert.deepEqual([all.counts, all.has_more], [{ total: 4, unscored: 2 }, true]);
    assert.deepEqual([all.submissions[0]!['score'], all.submissions[0]!['feedback']], [4, 'Calm.']);
    assert.equal(all.submissions[1]!['disqualify_reason'], 'A copy.');
    const second = await page(`?filter=all&limit=3&cursor=${all.next_cursor}`);
    assert.deepEqual([idsOf(second), second.has_more, second.next_cursor], [[last], false, null]);
    for (const query of [
      'filter=best',
      'order=score',
      'limit=0',
      'limit=51',
      'limit=x',
      'cursor=x',
      `cursor=${'_'.repeat(32)}`,
    ])
      codeIs(await gallery(`?${query}`), 400, 'INVALID_PARAMETER');
    await db`update submissions set score = null, score_source = null, feedback = null, scored_at = null,
      disqualified_at = null, disqualify_reason = null where project_id = ${id}`;
  });

  it('is open only to its poster, in every state; for others it does not exist', async () => {
    const stranger = await registerPoster(url);
    const foreign = await gallery('', stranger.key);
    codeIs(foreign, 404, 'PROJECT_NOT_FOUND');
    const missing = await gallery('', poster.key, '01a1fd68-1a1d-7b89-b14d-8a21a36746c2');
    assert.deepEqual(withoutId(foreign), withoutId(missing));
    codeIs(await gallery('', entries[0]!.key), 401, 'INVALID_API_KEY');
    for (const status of ['judging', 'completed', 'cancelled', 'open']) {
      await setStatus(id, status);
      assert.equal((await page()).submissions.length, 4, status);
    }
  });
});

describe('the public gallery', () => {
  it('opens when the project is completed, and is missing until then', async () => {
    const missing = await publicly('', '01a1fd68-1a1d-7b89-b14d-8a21a36746c2');
    for (const status of ['open', 'judging', 'cancelled']) {
      await setStatus(id, status);
      const answer = await publicly();
      codeIs(answer, 404, 'PROJECT_NOT_FOUND');
      assert.deepEqual(withoutId(answer), withoutId(missing));
    }
    await setStatus(id, 'completed');
    const { submissions, counts } = expectStatus(await publicly(), 200).body.data as GalleryPage;
    assert.deepEqual([submissions.length, counts], [4, { total: 4 }]);
    await setStatus(id, 'open');
  });

  it('shows score, rank, and outcome, without feedback or disqualified entries', async () => {
    const [winner, out] = entries.map(({ submissionId }) => submissionId) as [string, string];
    const now = clock.now();
    await setStatus(id, 'completed');
    await db`update submissions set score = 5, score_source = 'ai', feedback = 'Between us.', scored_at = ${now},
      outcome = 'won', rank = 1, earnings_micro = 950000, decided_at = ${now} where id = ${winner}`;
    await db`update submissions set disqualified_at = ${now}, disqualify_reason = 'A copy.' where id = ${out}`;
    const answer = await publicly();
    const { submissions, counts } = answer.body.data as GalleryPage;
    const first = submissions[0]!;
    assert.deepEqual(
      [first.id, first['score'], first['score_source'], first['rank'], first['outcome']],
      [winner, 5, 'ai', 1, 'won'],
    );
    assert.deepEqual([first['earnings_micro'], first['payout_status']], [950_000, null]);
    assert.doesNotMatch(JSON.stringify(answer.body), /Between us|feedback|disqualif|A copy/);
    assert.ok(!submissions.some((each) => each.id === out));
    assert.deepEqual(counts, { total: 3 });
    const paged = (await publicly('?limit=2')).body.data as GalleryPage;
    const rest = (await publicly(`?limit=2&cursor=${paged.next_cursor}`)).body.data as GalleryPage;
    assert.deepEqual([...idsOf(paged), ...idsOf(rest)], idsOf({ submissions }));
    codeIs(await publicly('?cursor=x'), 400, 'INVALID_PARAMETER');
    await db`update submissions set disqualified_at = null, disqualify_reason = null where id = ${out}`;
    await setStatus(id, 'open');
  });

  it('shows how the prize was paid', async () => {
    const [{ submissionId, agentId }] = entries as [(typeof entries)[0]];
    const now = clock.now();
    const hash = `0x${'ab'.repeat(32)}`;
    await db`insert into payouts (id, reference, kind, project_id, submission_id, agent_id, amount_micro, debit_account,
        recipient, state, due_at, created_at, updated_at, sent_at, settled_at, tx_hash)
      values (${service.deps.newId()}, ${`project:${id}:prize`}, 'prize', ${id}, ${submissionId}, ${agentId}, 950000, 'escrow',
        ${`0x${'1'.repeat(40)}`}, 'settled', ${now}, ${now}, ${now}, ${now}, ${now}, ${hash})`;
    const [own] = (await page()).submissions;
    assert.deepEqual([own!['payout_status'], own!['payout_tx_hash']], ['settled', hash]);
  });
});

it('the tests received every answer that the contract lists, and the service logged no errors', () => {
  assert.deepEqual(notSeen('listEntries', 'listPublicEntries'), []);
  assert.deepEqual(errors, []);
});
