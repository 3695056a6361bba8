import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, enter, type Contestant } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, expectStatus, type OpenProject, openProject, registerAgent } from '../support/clients/journey.ts';
import { newOperator } from '../support/clients/operators.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The operator's posters, search, filters, and CSV, on one world with a completed project.

const USDC = 1_000_000;
const TITLE = '=HYPERLINK("http://evil.example","A lighthouse")';

const world = await startWorld({ env: { LIMIT_REGISTRATIONS_PER_HOUR: '1000' } });
const { url, operatorKey: key, service, errors, clock } = world;
const { db } = service.deps;

const get = async (path: string) => expectStatus(await call(url, 'GET', `/operator${path}`, { key }), 200).body.data;
const csvOf = async (path: string, operator = key) =>
  await fetch(`${url}/api/v1/operator${path}`, {
    headers: { authorization: `Bearer ${operator}`, accept: 'text/csv' },
  });
const setStatus = async (id: string, status: string, reason = 'Briefs that cheat') =>
  await call(url, 'PUT', `/operator/posters/${id}/status`, { key, body: { status, reason } });

const project: OpenProject = await openProject(world, { prizeUsdc: 10, fields: { title: TITLE } });
const winner: Contestant = await enter(world, project);
expectStatus(await close(world, project), 200);
expectStatus(await choose(world, project, winner), 200);
await until('the payout', async () => {
  const { payouts } = await get(`/payouts?project_id=${project.id}&state=settled`);
  return payouts.length > 0;
});
const day = clock.now().toISOString().slice(0, 10);

type Found = {
  kind: string;
  id: string;
  project_id: string | null;
  money_kind: string | null;
  state: string | null;
};
const search = async (q: string) => ((await get(`/search?q=${encodeURIComponent(q)}`)) as { results: Found[] }).results;
const kindsOf = (found: Found[]) => [...new Set(found.map(({ kind }) => kind))].toSorted();

describe('every row of money', () => {
  it('names its project, its agent, and its poster', async () => {
    const { payments } = await get('/payments');
    const byKind = Object.fromEntries(
      payments.map(({ kind, parties }: { kind: string; parties: unknown }) => [kind, parties]),
    );
    const of = (kind: string) => byKind[kind] as Record<string, { id: string; name: string } | null>;
    assert.deepEqual(of('escrow')['project'], { id: project.id, name: TITLE });
    assert.equal(of('escrow')['poster']?.id, project.poster.id);
    assert.equal(of('escrow')['agent'], null);
    assert.equal(of('entry_fee')['agent']?.id, winner.id);
    assert.equal(of('payout')['agent']?.id, winner.id);
    assert.equal(of('payout')['project']?.id, project.id);
    const { payouts } = await get('/payouts');
    assert.equal(payouts[0].parties.poster.id, project.poster.id);
  });

  it('is found by days, amounts, agent, and poster', async () => {
    const amounts = async (query: string) =>
      ((await get(`/payments?${query}`)).payments as { amount_micro: number }[]).map(
        ({ amount_micro: amount }) => amount,
      );
    assert.deepEqual(await amounts('min_usdc=10'), [10 * USDC]);
    assert.deepEqual(await amounts('max_usdc=0.25'), [0.25 * USDC]);
    assert.equal((await amounts(`from=${day}&to=${day}`)).length, 3);
    assert.deepEqual(await amounts('from=2100-01-01'), []);
    assert.deepEqual(await amounts('to=2000-01-01'), []);
    assert.deepEqual(await amounts(`agent_id=${winner.id}`), [0.25 * USDC]);
    assert.deepEqual(await amounts(`poster_id=${project.poster.id}`), [10 * USDC]);
    const { payouts } = await get(`/payouts?agent_id=${winner.id}&poster_id=${project.poster.id}&min_usdc=1`);
    assert.equal(payouts.length, 1);
    assert.deepEqual((await get(`/strays?from=${day}&min_usdc=1`)).strays, []);
    codeIs(await call(url, 'GET', '/operator/payments?from=yesterday', { key }), 400, 'INVALID_PARAMETER');
  });
});

describe('the search', () => {
  it('finds by id, by the beginning of an id, by wallet, transaction, name, and title', async () => {
    assert.deepEqual(await search(project.id.toUpperCase()).then(kindsOf), ['project']);
    assert.ok((await search(winner.id.slice(0, 13))).some(({ id }) => id === winner.id));
    assert.deepEqual(
      (await search(winner.submissionId)).map(({ project_id: projectId }) => projectId),
      [project.id],
    );
    const wallet = await search(winner.payer.address);
    assert.ok(kindsOf(wallet).includes('payment'));
    const { payments } = await get('/payments?kind=escrow');
    const [hit] = await search(payments[0].tx_hash);
    assert.deepEqual([hit?.kind, hit?.id, hit?.project_id], ['payment', payments[0].id, project.id]);
    assert.ok((await search('lighthouse')).some(({ id }) => id === project.id));
    const { poster } = await get(`/posters/${project.poster.id}`);
    assert.ok((await search(poster.name.toUpperCase())).some(({ id }) => id === project.poster.id));
    assert.deepEqual(await search('nobody has this name'), []);
    assert.deepEqual(await search(`0x${'9'.repeat(64)}`), []);
    assert.deepEqual(await search("%_' or 1=1 --"), []);
    codeIs(await call(url, 'GET', '/operator/search', { key }), 400, 'INVALID_PARAMETER');
  });

  it('finds the entry of a file by its SHA-256', async () => {
    const [{ sha256 }] = await db<[{ sha256: string }]>`
      select encode(sha256, 'hex') as sha256 from media_files
      where submission_id = ${winner.submissionId} and status = 'completed'`;
    for (const q of [sha256, `sha256:${sha256.toUpperCase()}`])
      assert.deepEqual(
        (await search(q)).map(({ id }) => id),
        [winner.submissionId],
      );
    assert.deepEqual(await search('0'.repeat(64)), []);
  });

  it('finds the project of a terms hash', async () => {
    const [{ hash }] = await db<[{ hash: string }]>`
      select terms_hash as hash from projects where id = ${project.id}`;
    for (const q of [hash, hash.replace('sha256:', '')]) {
      const found = await search(q);
      assert.deepEqual(
        found.map(({ kind, id }) => [kind, id]),
        [['project', project.id]],
      );
    }
  });

  it('finds the payouts to a wallet that are not sent yet, with their kinds and states', async () => {
    const { address: recipient } = newPayer();
    const [{ id }] = await db<[{ id: string }]>`
      insert into payouts (id, reference, kind, debit_account, amount_micro, recipient, state, due_at, created_at, updated_at)
      values (uuidv7(), 'withdrawal:test', 'withdrawal', 'revenue', 1, ${recipient.toLowerCase()}, 'held', now(), now(), now())
      returning id`;
    const [found] = await search(recipient);
    assert.deepEqual([found?.kind, found?.id, found?.money_kind, found?.state], ['payout', id, 'withdrawal', 'held']);
    await db`delete from payouts where id = ${id}`;
  });

  it('walks indexes, however many posters and agents there are', async () => {
    await db`
      insert into posters (id, name, created_at)
      select uuidv7(), 'Many ' || n, now() - interval '1 year' from generate_series(1, 20000) n`;
    await db`analyze posters, poster_directory`;
    const plans = await Promise.all(
      [
        db`explain select poster_id from poster_directory where name_key >= 'mo' collate "C"
          and name_key < 'mp' collate "C" order by name_key limit 10`,
        db`explain select id from posters where id between ${project.poster.id} and ${project.poster.id} order by id desc limit 10`,
        db`explain select id from submissions where id in (
          select submission_id from media_files where sha256 = decode(repeat('0', 64), 'hex') and status = 'completed' limit 10)`,
        db`explain select id from payouts
          where recipient = ${winner.payer.address} and state in ('held', 'ready') and state <> 'settled'`,
        db`explain select d.poster_id from poster_directory d join posters p on p.id = d.poster_id
          order by d.poster_id desc limit 51`,
      ].map(async (query) => (await query).map((row) => String(row['QUERY PLAN'])).join('\n')),
    );
    for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan/, plan);
    assert.ok((await search('many 19')).length === 10);
  });
});

describe('a list as CSV', () => {
  it('has every page, and no formula', async () => {
    const answer = await csvOf('/posters?limit=1');
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="posters.csv"$/);
    const lines = (await answer.text()).trimEnd().split('\r\n');
    const [{ count }] = await db<[{ count: number }]>`select count(*)::integer as count from posters`;
    assert.equal(lines.length, count + 1);
    assert.match(lines[0] ?? '', /^id,name,status,/);
    const payments = await (await csvOf('/payments?kind=escrow')).text();
    assert.ok(payments.includes(`"'=HYPERLINK(""http://evil.example"",""A lighthouse"")"`), payments);
    assert.match(payments, /parties\.poster\.name/);
  });

  it('exists for every list, and for nobody without the scope', async () => {
    const lists = ['agents', 'projects', 'payments', 'payouts', 'strays', 'audit', 'flags', 'objections', 'approvals'];
    for (const list of [...lists, 'webhooks/deliveries', 'operators', 'withdrawal-addresses']) {
      const answer = await csvOf(`/${list}`);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/csv; charset=utf-8'], list);
      await answer.text();
    }
    assert.equal((await csvOf('/posters', winner.key)).status, 401);
    assert.equal((await csvOf('/posters?cursor=bad')).status, 400);
    const reader = await newOperator(world, 'read');
    assert.equal((await csvOf('/posters?search=nobody', reader.key)).status, 200);
    const overview = await csvOf('/overview');
    assert.match(overview.headers.get('content-type') ?? '', /json/);
  });

  it('ends when the client leaves', async () => {
    const stop = new AbortController();
    const answer = await fetch(`${url}/api/v1/operator/posters`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/csv' },
      signal: stop.signal,
    });
    await answer.body?.getReader().read();
    stop.abort();
    await get('/posters?limit=1');
  });
});

describe('a poster', () => {
  it('has a page, and the list finds it', async () => {
    const { poster } = await get(`/posters/${project.poster.id}`);
    assert.deepEqual([poster.status, poster.projects, poster.by_status.open >= 0], ['active', 1, true]);
    assert.equal(poster.prizes_micro, 10 * USDC);
    assert.equal(poster.contact_address, null);
    await db`
      insert into mail_contacts (account_kind, account_id, address, verified_at, types, delivery, created_at, updated_at)
      values ('poster', ${poster.id}, 'poster@example.com', now(), '{}', 'each', now(), now())`;
    assert.equal((await get(`/posters/${poster.id}`)).poster.contact_address, 'poster@example.com');
    const { posters } = await get(`/posters?search=${poster.name.slice(0, 4).toLowerCase()}`);
    assert.ok(posters.some(({ id }: { id: string }) => id === poster.id));
    const { posters: byId } = await get(`/posters?search=${poster.id.slice(0, 18)}`);
    assert.ok(byId.some(({ id }: { id: string }) => id === poster.id));
    codeIs(await call(url, 'GET', '/operator/posters/01a1fd68-1a1d-7b89-b14d-8a21a36746c2', { key }), 404, 'NOT_FOUND');
  });

  it('publishes nothing new while it is suspended, and its open project goes on', async () => {
    const open = await openProject(world, { prizeUsdc: 1 });
    const { poster } = open;
    const drafted = expectStatus(
      await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief() }),
      201,
    );
    const session = async () =>
      expectStatus(await call(url, 'GET', '/posters/session', { key: poster.key }), 200).body.data;
    assert.equal((await session()).suspension, null);
    const publish = `/posters/me/projects/${drafted.body.data.project.id}/publish`;
    const suspended = expectStatus(await setStatus(poster.id, 'suspended'), 200).body.data.poster;
    assert.deepEqual([suspended.status, suspended.suspend_reason], ['suspended', 'Briefs that cheat']);
    assert.equal((await session()).suspension.reason, 'Briefs that cheat');
    expectStatus(await setStatus(poster.id, 'suspended'), 200);
    const refused = await call(url, 'POST', publish, { key: poster.key });
    codeIs(refused, 403, 'POSTER_SUSPENDED');
    assert.match(refused.body.error.message, /Briefs that cheat/);
    expectStatus(await call(url, 'POST', `/posters/me/projects/${open.id}/publish`, { key: poster.key }), 200);
    const entry = await enter(world, open);
    expectStatus(await close(world, open), 200);
    expectStatus(await choose(world, open, entry), 200);
    const { entries } = await get(`/audit?subject=poster:${poster.id}&action=poster.set_status`);
    assert.equal(entries.length, 1);
    assert.equal(entries[0].subject_name, (await get(`/posters/${poster.id}`)).poster.name);
    const { posters } = await get('/posters?status=suspended');
    assert.deepEqual(
      posters.map(({ id }: { id: string }) => id),
      [poster.id],
    );
    expectStatus(await setStatus(poster.id, 'active', 'All is well'), 200);
    expectStatus(await call(url, 'POST', publish, { key: poster.key }), 402);
    codeIs(await setStatus('01a1fd68-1a1d-7b89-b14d-8a21a36746c2', 'active'), 404, 'NOT_FOUND');
  });

  it('is suspended once by two operators at the same time', async () => {
    const { poster } = await openProject(world, { prizeUsdc: 1 });
    const both = await Promise.all([setStatus(poster.id, 'suspended'), setStatus(poster.id, 'suspended')]);
    for (const answer of both) expectStatus(answer, 200);
    const { entries } = await get(`/audit?subject=poster:${poster.id}`);
    assert.equal(entries.filter(({ action }: { action: string }) => action === 'poster.set_status').length, 1);
  });
});

describe('the rest of the pages', () => {
  it('show the business of the last days', async () => {
    const business = await get('/business?days=7');
    assert.ok(business.take_up.projects >= 1 && business.take_up.entered >= 1 && business.choice.by_poster >= 1);
    assert.equal(business.registrations.length, 7);
    assert.ok(business.registrations.at(-1).agents >= 1);
    assert.ok(business.disputes.flags_upheld <= business.disputes.flags);
  });

  it('show the entries of an agent with their pictures', async () => {
    const { submissions } = await get(`/agents/${winner.id}/submissions`);
    assert.equal(submissions.length, 1);
    assert.deepEqual([submissions[0].project.name, submissions[0].outcome], [TITLE, 'won']);
    assert.match(submissions[0].thumbnail_url, /^http/);
    const { id } = await registerAgent(url);
    assert.deepEqual((await get(`/agents/${id}/submissions`)).submissions, []);
  });

  it('name the subjects of the audit trail, and take days', async () => {
    const { entries } = await get(`/audit?subject=project:${project.id}&from=${day}`);
    assert.ok(entries.length > 0);
    for (const { subject_name: name } of entries) assert.equal(name, TITLE);
    assert.deepEqual((await get('/audit?to=2000-01-01')).entries, []);
    assert.deepEqual(errors, []);
  });
});
