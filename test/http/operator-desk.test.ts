import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  brief,
  drawing,
  expectStatus,
  openProject,
  registerAgent,
  registerPoster,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The lists and the finder of the operator. Each test filters for its own rows.

const world = await sharedWorld();
const { url, operatorKey: key } = world;
const db = sharedDatabase(world);
const USDC = 1_000_000;
const DAY_MS = 86_400_000;
const MISSING = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
/** A word that only the names and titles of this file have. */
const WORD = `w${randomUUID().slice(0, 8)}`;
const TITLE = `=HYPERLINK("http://evil.example","${WORD} lighthouse")`;

const ask = (path: string) => call(url, 'GET', `/operator${path}`, { key });
const get = async (path: string) => expectStatus(await ask(path), 200).body.data;
const LISTS = ['projects', 'submissions', 'payments', 'payouts', 'strays', 'revenue', 'agents', 'posters'];
LISTS.push('webhooks/deliveries', 'emails', 'audit');
type Row = { id: string; created_at: string };
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const draft = async (poster: { key: string }, title: string, prizeUsdc = 1): Promise<string> => {
  const body = brief({ prizeUsdc, fields: { title } });
  const answer = await call(url, 'POST', '/posters/me/projects', { key: poster.key, body });
  return expectStatus(answer, 201).body.data.project.id;
};

const project = await openProject(world, { prizeUsdc: 10, fields: { title: TITLE } });
const { poster } = project;
const winner = await enter(world, project, { picture: await drawing(11) });
expectStatus(await close(world, project), 200);
expectStatus(await choose(world, project, winner), 200);
await until('the payout', async () => {
  const { payouts } = await get(`/payouts?project_id=${project.id}&state=settled`);
  return payouts.length > 0;
});

/** Reads a list page by page. */
async function allPages(list: string, query: string, rows = list): Promise<Row[]> {
  const found: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Record<string, unknown> = await get(`/${list}?limit=1&${query}${cursor && `&cursor=${cursor}`}`);
    found.push(...(page[rows] as Row[]));
    cursor = page['next_cursor'] as string | null;
  }
  return found;
}

describe('the list of payments', () => {
  it('names the project, the agent, and the poster of each row', async () => {
    const { payments: fromPoster } = await get(`/payments?poster_id=${poster.id}`);
    const { payments: ofAgent } = await get(`/payments?agent_id=${winner.id}`);
    const { escrow, entry_fee: fee } = Object.fromEntries(
      [...fromPoster, ...ofAgent].map(({ kind, parties }: { kind: string; parties: unknown }) => [kind, parties]),
    ) as Record<string, Record<string, { id: string; name: string } | null>>;
    assert.deepEqual(escrow?.['project'], { id: project.id, name: TITLE });
    assert.deepEqual([escrow['poster']?.id, escrow['agent']], [poster.id, null]);
    assert.equal(fee?.['agent']?.id, winner.id);
    const { payouts } = await get(`/payouts?project_id=${project.id}`);
    assert.deepEqual([payouts[0].parties.poster.id, payouts[0].parties.agent.id], [poster.id, winner.id]);
  });

  it('finds rows by days and amounts', async () => {
    const amounts = async (query: string) =>
      ((await get(`/payments?poster_id=${poster.id}&${query}`)).payments as { amount_micro: number }[]).map(
        ({ amount_micro: amount }) => amount,
      );
    assert.deepEqual(await amounts('min_usdc=10&kind=escrow'), [10 * USDC]);
    assert.deepEqual(await amounts('min_usdc=10.000001'), []);
    assert.deepEqual(await amounts('min_usdc=9e99'), []);
    assert.deepEqual(await amounts('max_usdc=9.999999&kind=escrow'), []);
    assert.deepEqual(await amounts('since=2100-01-01'), []);
    assert.deepEqual(await amounts('before=2000-01-01T00:00:00Z'), []);
    const { payments } = await get(`/payments?project_id=${project.id}`);
    assert.deepEqual(
      new Set((payments as { kind: string }[]).map(({ kind }) => kind)),
      new Set(['escrow', 'entry_fee']),
    );
    codeIs(await ask('/payments?since=yesterday'), 400, 'INVALID_PARAMETER');
  });
});

describe('the list of projects', () => {
  it('has all posters, newest first, and filters by state, poster, words of the title, and prize', async () => {
    const owner = await registerPoster(url);
    const first = await draft(owner, `${WORD} crossings, drawn with ink`, 7);
    const open = await openProject(world, { fields: { title: `A ${WORD} for the zoo` } });
    const last = await draft(owner, 'Quite another thing');
    const found = async (query: Record<string, string>) =>
      idsOf((await get(`/projects?${new URLSearchParams(query).toString()}`)).projects);
    assert.deepEqual(await found({ search: WORD }), [open.id, first, project.id]);
    assert.deepEqual(await found({ search: `${WORD.slice(0, -1).toUpperCase()} cross` }), [first]);
    assert.deepEqual(await found({ search: WORD, state: 'draft' }), [first]);
    assert.deepEqual(await found({ search: WORD, state: 'completed,draft' }), [first, project.id]);
    assert.deepEqual(await found({ poster_id: owner.id }), [last, first]);
    assert.deepEqual(await found({ poster_id: owner.id, search: 'quite' }), [last]);
    assert.deepEqual(await found({ poster_id: owner.id, min_usdc: '1.000001', max_usdc: '7' }), [first]);
    assert.deepEqual(await found({ search: WORD, min_usdc: '10' }), [project.id]);
    assert.deepEqual(idsOf(await allPages('projects', `search=${WORD}`)), [open.id, first, project.id]);
    for (const query of ['state=gone', 'limit=0', 'cursor=x', 'poster_id=x', 'search=', 'min_usdc=much'])
      codeIs(await ask(`/projects?${query}`), 400, 'INVALID_PARAMETER');
  });

  it('leads to the page of one project with its entries, also disqualified ones', async () => {
    const shown = await openProject(world);
    const [one, two] = [
      await enter(world, shown, { picture: await drawing(12) }),
      await enter(world, shown, { picture: await drawing(13) }),
    ];
    const path = `/projects/${shown.id}`;
    const body = { reason: 'A copy' };
    const disqualify = `/operator${path}/submissions/${one.submissionId}/disqualify`;
    expectStatus(await call(url, 'POST', disqualify, { key, body }), 200);
    const page = (await get(path)).project;
    assert.deepEqual([page.id, page.total_submissions, page.specializations], [shown.id, 2, ['logo-design']]);
    const { submissions } = await get(`/submissions?project_id=${shown.id}`);
    assert.deepEqual(idsOf(submissions), [two.submissionId, one.submissionId]);
    assert.deepEqual([submissions[1].disqualify_reason, submissions[1].project_title], ['A copy', page.title]);
    assert.equal((await fetch(submissions[0].thumbnail_url)).headers.get('content-type'), 'image/webp');
    assert.deepEqual(idsOf(await allPages('submissions', `project_id=${shown.id}`)), idsOf(submissions));
    codeIs(await ask(`/projects/${MISSING}`), 404, 'PROJECT_NOT_FOUND');
  });
});

describe('the list of agents', () => {
  it('is filtered by state and tier', async () => {
    const { id } = await registerAgent(url, { agent_name: `${WORD} agent` });
    const found = async (query: string) => idsOf((await get(`/agents?search=${WORD}&${query}`)).agents);
    const body = { status: 'under_review', reason: 'A test' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${id}/status`, { key, body }), 200);
    assert.deepEqual(await found('state=under_review,limited'), [id]);
    assert.deepEqual(await found('state=active'), []);
    assert.deepEqual(await found('tier=elite'), []);
    assert.deepEqual((await get(`/submissions?agent_id=${id}`)).submissions, []);
    for (const query of ['state=gone', 'tier=gold', 'limit=0', 'limit=101', 'cursor=x', 'search='])
      codeIs(await ask(`/agents?${query}`), 400, 'INVALID_PARAMETER');
  });

  it('leads to the entries of an agent with their pictures', async () => {
    const { submissions } = await get(`/submissions?agent_id=${winner.id}`);
    assert.equal(submissions.length, 1);
    assert.deepEqual([submissions[0].project_title, submissions[0].outcome], [TITLE, 'won']);
    assert.match(submissions[0].thumbnail_url, /^http/);
  });
});

it('a poster has a page, and the list finds it by its name', async () => {
  const body = { poster_name: `${WORD} House` };
  const { posterId: id } = expectStatus(await call(url, 'POST', '/posters/create', { body }), 201).body.data;
  assert.deepEqual(idsOf((await get(`/posters?search=${WORD}&state=active`)).posters), [id]);
  assert.deepEqual((await get(`/posters?search=${WORD}&state=suspended`)).posters, []);
  const page = (await get(`/posters/${poster.id}`)).poster;
  assert.deepEqual(
    [page.status, page.projects, page.by_status.completed, page.prizes_micro, page.contact_address],
    ['active', 1, 1, 10 * USDC, null],
  );
  codeIs(await ask(`/posters/${MISSING}`), 404, 'NOT_FOUND');
  const unknown = { key, body: { status: 'suspended', reason: 'A test' } };
  codeIs(await call(url, 'PUT', `/operator/posters/${MISSING}/status`, unknown), 404, 'NOT_FOUND');
});

describe('the times of a list', () => {
  for (const [list, query] of [
    ['projects', `search=${WORD}&state=completed`],
    ['agents', `search=${WORD}`],
    ['payouts', `project_id=${project.id}`],
    ['submissions', `project_id=${project.id}`],
  ] as const)
    it(`bound ${list}`, async () => {
      const rows = async (times: string) =>
        ((await get(`/${list}?${query}${times}`)) as Record<string, Row[]>)[list] ?? [];
      const [row = assert.fail()] = await rows('');
      const at = Date.parse(
        list === 'submissions' ? (row as unknown as { submitted_at: string }).submitted_at : row.created_at,
      );
      const timeOf = (moreMs: number) => new Date(at + moreMs).toISOString();
      assert.ok((await rows(`&since=${timeOf(-1000)}&before=${timeOf(1000)}`)).some(({ id }) => id === row.id));
      assert.ok(!(await rows(`&since=${timeOf(1000)}`)).some(({ id }) => id === row.id));
      assert.ok(!(await rows(`&before=${timeOf(-1000)}`)).some(({ id }) => id === row.id));
      assert.ok(!(await rows(`&since=${timeOf(DAY_MS).slice(0, 10)}`)).some(({ id }) => id === row.id));
    });
});

it('the list of revenue names the project of each fee, and its sum is the balance', async () => {
  const own = (await get('/revenue')).revenue.filter(
    ({ parties }: { parties: { project: { id: string } | null } }) => parties.project?.id === project.id,
  );
  assert.deepEqual(
    own.map((row: { kind: string; amount_micro: number }) => [row.kind, row.amount_micro]),
    [
      ['entry_fees', 0.25 * USDC],
      ['platform_fee', 0.5 * USDC],
    ],
  );
  assert.equal(own[0].parties.poster.id, poster.id);
  const { revenue } = await get(`/revenue?state=platform_fee&min_usdc=0.5&max_usdc=0.5`);
  assert.ok(idsOf(revenue).includes(own[1].id));
  codeIs(await ask('/revenue?state=gift'), 400, 'INVALID_PARAMETER');
});

describe('the finder', () => {
  type Found = { kind: string; id: string; project_id: string | null };
  const find = async (q: string) => ((await get(`/find?q=${encodeURIComponent(q)}`)) as { results: Found[] }).results;

  it('finds an exact id, wallet address, and transaction', async () => {
    assert.deepEqual(
      (await find(project.id.toUpperCase())).map(({ kind, id }) => [kind, id]),
      [['project', project.id]],
    );
    assert.deepEqual(
      (await find(winner.submissionId)).map(({ project_id: projectId }) => projectId),
      [project.id],
    );
    assert.ok((await find(winner.payer.address)).some(({ kind }) => kind === 'payment'));
    const { payments } = await get(`/payments?kind=escrow&poster_id=${poster.id}`);
    const [hit] = await find(payments[0].tx_hash);
    assert.deepEqual([hit?.kind, hit?.id, hit?.project_id], ['payment', payments[0].id, project.id]);
    for (const nothing of [`0x${'9'.repeat(64)}`, "%_' or 1=1 --", MISSING, project.id.slice(0, 18), WORD])
      assert.deepEqual(await find(nothing), []);
    codeIs(await ask('/find'), 400, 'INVALID_PARAMETER');
  });

  it('finds the entry of a file by its SHA-256, and the project of a terms hash', async () => {
    const [row] = await db<[{ sha256: string; terms: string }]>`
      select encode(f.sha256, 'hex') as sha256, p.terms_hash as terms
      from media_files f join submissions s on s.id = f.submission_id join projects p on p.id = s.project_id
      where s.id = ${winner.submissionId} and f.status = 'completed'`;
    assert.ok(idsOf(await find(`sha256:${row.sha256.toUpperCase()}`)).includes(winner.submissionId));
    assert.deepEqual(idsOf(await find(row.terms)), [project.id]);
  });
});

describe('a list as CSV', () => {
  const csvOf = (path: string, operator = key, method = 'GET') => {
    const headers = { authorization: `Bearer ${operator}`, accept: 'text/csv' };
    return fetch(`${url}/api/v1/operator${path}`, { method, headers });
  };

  it('has every page, and no formula', async () => {
    const answer = await csvOf(`/projects?limit=1&search=${WORD}`);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="projects.csv"');
    const text = await answer.text();
    const { projects } = await get(`/projects?search=${WORD}`);
    assert.equal(text.trimEnd().split('\r\n').length, projects.length + 1);
    assert.ok(text.includes(`"'=HYPERLINK(""http://evil.example"",""${WORD} lighthouse"")"`), text);
  });

  it('exists for every list, and for nobody without the key of an operator', async () => {
    for (const list of LISTS) {
      const answer = await csvOf(`/${list}?since=2000-01-01&before=2000-01-02`);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/csv; charset=utf-8'], list);
      await answer.text();
    }
    for (const [path, operator, status] of [
      ['/posters', winner.key, 401],
      ['/posters?cursor=bad', key, 400],
    ] as const) {
      const answer = await csvOf(path, operator);
      assert.equal(answer.status, status);
      await answer.text();
    }
    const { status, headers } = await csvOf('/posters', key, 'HEAD');
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8']);
  });
});

it('the audit trail names its subjects, and takes times', async () => {
  const { entries } = await get(`/audit?subject=project:${project.id}`);
  assert.ok(entries.length > 0);
  for (const { subject_name: name } of entries) assert.equal(name, TITLE);
  assert.deepEqual((await get(`/audit?subject=project:${project.id}&before=2000-01-01`)).entries, []);
});
