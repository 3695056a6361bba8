import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { posterKeyOperations } from '../../contract/poster-keys.ts';
import { referenceOperations } from '../../contract/projects/references.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  brief,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  registerPoster,
} from '../support/clients/journey.ts';
import { callOperation, withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

let settleFails = false;

function faulty({ facilitator }: World): Partial<World> {
  const settle: typeof facilitator.settle = (payment) =>
    settleFails ? Promise.reject(new Error('timeout')) : facilitator.settle(payment);
  return { facilitator: { ...facilitator, settle } };
}

const world = await startWorld({ wrap: faulty, env: { MIN_OPEN_SECONDS: '60', LIMIT_POSTER_PER_MINUTE: '10000' } });
const { url, service, clock, errors } = world;
const poster = await registerPoster(url);
const other = await registerPoster(url);

const projects = '/posters/me/projects';
const draft = async (fields: object = {}): Promise<string> =>
  expectStatus(await call(url, 'POST', projects, { key: poster.key, body: { ...brief(), ...fields } }), 201).body.data
    .project.id;
const read = (id: string, key = poster.key) => call(url, 'GET', `${projects}/${id}`, { key });
const patch = (id: string, body: object, key = poster.key) => call(url, 'PATCH', `${projects}/${id}`, { key, body });
const publish = (id: string, fetchWith = fetch) =>
  call(url, 'POST', `${projects}/${id}/publish`, { key: poster.key, fetch: fetchWith });
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();

async function funder() {
  const payer = newPayer();
  await fund(url, payer.address, 2);
  return payer;
}

describe('POST /posters/create', () => {
  it('registers a poster with a key of its own kind', async () => {
    const { status, body } = await call(url, 'POST', '/posters/create', {
      body: { poster_name: 'Studio', email: 'a@example.com' },
    });
    assert.equal(status, 201);
    const answered = ['message', 'posterId', 'apiKey', 'link_sent', 'terms_url', 'terms_version'];
    assert.deepEqual(Object.keys(body.data), answered);
    // This service sends no emails.
    assert.equal(body.data.link_sent, false);
    assert.match(body.data.apiKey, /^cp_test_/);
    for (const bad of [
      {},
      { poster_name: 'ab' },
      { poster_name: 'x'.repeat(101) },
      { poster_name: 'Fine', email: 'no' },
    ])
      codeIs(
        await call(url, 'POST', '/posters/create', { body: bad }),
        400,
        'VALIDATION_ERROR',
        /(poster_name|email): /,
      );
  });
});

describe('drafts', () => {
  it('are created with defaults, read, listed, changed, and deleted', async () => {
    const created = await call(url, 'POST', projects, { key: poster.key, body: brief({ prizeUsdc: 2.5 }) });
    assert.equal(created.status, 201);
    const { project } = created.body.data;
    const { status, prize_amount, judging_hours, item_count, published_at, cancel_reason, platform_fee_rate } = project;
    assert.deepEqual(
      [status, prize_amount, judging_hours, item_count, published_at, cancel_reason, platform_fee_rate],
      ['draft', 2_500_000, 72, 1, null, null, 0.05],
    );
    assert.deepEqual((await read(project.id)).body.data.project, project);
    const changed = (await patch(project.id, { title: 'Another title', color_preferences: ['red'], tags: [] })).body
      .data.project;
    assert.deepEqual([changed.title, changed.color_preferences, changed.id], ['Another title', ['red'], project.id]);
    const listed = await call(url, 'GET', `${projects}?status=draft&limit=1`, { key: poster.key });
    assert.deepEqual(listed.body.data.projects, [{ ...changed, unscored_submissions: null, shown_entry: null }]);
    const pagination = { limit: 1, offset: 0, total_returned: 1, has_more: false, next_cursor: null };
    assert.deepEqual(listed.body.data.pagination, pagination);
    const deleted = await call(url, 'DELETE', `${projects}/${project.id}`, { key: poster.key });
    assert.deepEqual([deleted.status, deleted.body.data.projectId], [200, project.id]);
    codeIs(await read(project.id), 404, 'PROJECT_NOT_FOUND');
  });

  it('are refused with every failing field named', async () => {
    const fields: Record<string, unknown[]> = {
      title: ['ab', 'x'.repeat(201), null],
      description: ['x'.repeat(24)],
      prize_amount: [0.999999, -1, 1_000_000.000001, '1e7', 'x'],
      entry_fee: [-0.1, 0.0000001, 'free'],
      specializations: [[], ['unheard-of'], 'logo-design'],
      project_type_id: ['video'],
      item_count: [0, 21, 1.5],
      style_references: [['javascript:alert(1)'], ['ftp://example.com'], [1]],
      auto_select_deadline: ['2020-01-01', 'tomorrow', 5],
      judging_hours: [-1, 721],
    };
    for (const [field, values] of Object.entries(fields)) {
      for (const value of values) {
        const answer = await call(url, 'POST', projects, { key: poster.key, body: { ...brief(), [field]: value } });
        codeIs(answer, 400, 'VALIDATION_ERROR', new RegExp(`^Validation failed: ${field}`));
      }
    }
    codeIs(await patch(await draft(), {}), 400, 'VALIDATION_ERROR', /at least one field/);
    codeIs(await patch(await draft(), { status: 'open' }), 400, 'VALIDATION_ERROR', /status: unknown field/);
    for (const query of ['status=open,draft', 'limit=0', 'limit=51', 'offset=-1', 'limit=1&limit=2'])
      codeIs(await call(url, 'GET', `${projects}?${query}`, { key: poster.key }), 400, 'INVALID_PARAMETER');
  });

  it('are canceled once, with a reason', async () => {
    const id = await draft();
    const answer = await call(url, 'POST', `${projects}/${id}/cancel`, {
      key: poster.key,
      body: { reason: 'No budget' },
    });
    const { status, cancel_reason, cancelled_by } = answer.body.data.project;
    assert.deepEqual([answer.status, status, cancel_reason, cancelled_by], [200, 'cancelled', 'No budget', 'poster']);
    for (const [method, path, body] of [
      ['POST', '/cancel', undefined],
      ['DELETE', '', undefined],
      ['PATCH', '', { title: 'Title' }],
      ['POST', '/publish', undefined],
    ] as const)
      codeIs(
        await call(url, method, `${projects}/${id}${path}`, { key: poster.key, body }),
        409,
        'PROJECT_STATE_CONFLICT',
        /cancelled/,
      );
  });

  it('are refused while the operator suspends their poster, and then nothing is charged', async () => {
    const stopped = await registerPoster(url);
    const drafted = expectStatus(await call(url, 'POST', projects, { key: stopped.key, body: brief() }), 201);
    const id = drafted.body.data.project.id as string;
    const { pay } = await funder();
    const suspend = (status: string) =>
      call(url, 'PUT', `/operator/posters/${stopped.id}/status`, {
        key: world.operatorKey,
        body: { status, reason: 'Spam' },
      });
    // One of both comes first. A suspension never waits for the money, and money is never taken after it.
    const [published, suspended] = await Promise.all([
      call(url, 'POST', `${projects}/${id}/publish`, { key: stopped.key, fetch: pay }),
      suspend('suspended'),
    ]);
    expectStatus(suspended, 200);
    if (published.status !== 200) {
      codeIs(published, 403, 'POSTER_SUSPENDED');
      codeIs(
        await call(url, 'POST', `${projects}/${id}/publish`, { key: stopped.key, fetch: pay }),
        403,
        'POSTER_SUSPENDED',
      );
    }
    const second = expectStatus(await call(url, 'POST', projects, { key: stopped.key, body: brief() }), 201);
    const path = `${projects}/${second.body.data.project.id}/publish`;
    codeIs(await call(url, 'POST', path, { key: stopped.key }), 403, 'POSTER_SUSPENDED');
    expectStatus(await suspend('active'), 200);
    expectStatus(await call(url, 'POST', path, { key: stopped.key }), 402);
  });

  it('do not exist for other posters and stay unchanged', async () => {
    const id = await draft();
    const before = (await read(id)).body;
    const { pay } = await funder();
    for (const spec of [
      operations.getOwnProject,
      operations.updateProject,
      operations.deleteProject,
      operations.publishProject,
      operations.cancelProject,
    ]) {
      const body = spec.id === 'updateProject' ? { body: { title: 'Mine now' } } : {};
      const missing = await callOperation(url, spec, { key: other.key, ...body });
      codeIs(missing, 404, 'PROJECT_NOT_FOUND');
      const foreign = await callOperation(url, spec, {
        key: other.key,
        params: { project_id: id },
        fetch: pay,
        ...body,
      });
      assert.deepEqual(withoutId(foreign), withoutId(missing), spec.id);
    }
    assert.deepEqual((await read(id)).body, before);
    assert.deepEqual((await call(url, 'GET', projects, { key: other.key })).body.data.projects, []);
  });
});

describe('POST …/publish', () => {
  it('opens the project once its prize is in escrow; a repeated request is free', async () => {
    const id = await draft();
    const unpaid = await publish(id);
    codeIs(unpaid, 402, 'PAYMENT_REQUIRED');
    assert.equal(unpaid.body.accepts[0].maxAmountRequired, '1000000');
    const { pay } = await funder();
    const paid = await publish(id, pay);
    assert.deepEqual([paid.status, paid.body.data.project.status], [200, 'open']);
    assert.ok(paid.headers.has('payment-response') && paid.body.data.project.published_at);
    const again = await publish(id);
    assert.deepEqual(again.body.data, paid.body.data);
    assert.deepEqual(again.headers.has('payment-response'), false);
    assert.equal((await ledger(world)).accounts.find(({ account }) => account.includes(id))?.balance_micro, 1_000_000);
  });

  it('allows only a later deadline to change after the project opened', async () => {
    const { id, poster: owner } = await openProject(world);
    const change = (body: object) => patch(id, body, owner.key);
    codeIs(await change({ title: 'Another title' }), 403, 'UPDATE_FORBIDDEN', /title/);
    codeIs(await change({ auto_select_deadline: inSeconds(10) }), 400, 'VALIDATION_ERROR', /later than/);
    const later = inSeconds(86_400);
    assert.equal((await change({ auto_select_deadline: later })).body.data.project.auto_select_deadline, later);
    codeIs(await call(url, 'DELETE', `${projects}/${id}`, { key: owner.key }), 409, 'PROJECT_STATE_CONFLICT', /open/);
    await service.deps.db`update projects set auto_select_deadline = ${inSeconds(-1)} where id = ${id}`;
    codeIs(await change({ auto_select_deadline: inSeconds(60) }), 409, 'PROJECT_DEADLINE_PASSED');
  });

  it('needs enough time until the deadline', async () => {
    codeIs(await publish(await draft({ auto_select_deadline: inSeconds(59) })), 409, 'PROJECT_DEADLINE_TOO_CLOSE');
    const id = await draft({ auto_select_deadline: inSeconds(1) });
    clock.offsetMs += 1000;
    codeIs(await publish(id), 409, 'PROJECT_DEADLINE_PASSED');
    // As if the operator had shortened the longest open time since the draft.
    const late = new Date(clock.now().getTime() + 31 * 86_400_000);
    await service.deps.db`update projects set auto_select_deadline = ${late} where id = ${id}`;
    codeIs(await publish(id), 400, 'VALIDATION_ERROR', /auto_select_deadline: must not be later/);
  });

  it('reports a failed payment, and one with an unknown outcome', async () => {
    const id = await draft();
    codeIs(await publish(id, newPayer().pay), 402, 'PAYMENT_FAILED');
    const payer = await funder();
    service.deps.payments.waitMs = 200;
    settleFails = true;
    codeIs(await publish(id, payer.pay), 503, 'PAYMENT_PENDING');
    codeIs(await patch(id, { prize_amount: 2 }), 409, 'PROJECT_STATE_CONFLICT', /being paid/);
    settleFails = false;
    service.deps.payments.waitMs = 15_000;
    clock.offsetMs += 31_000;
    assert.equal((await publish(id)).body.data.project.status, 'open');
    assert.equal(await service.deps.chain.balanceMicro(payer.address), 1_000_000);
  });

  it('shows agents the project with only public fields', async () => {
    const { id } = await openProject(world);
    const { key } = await registerAgent(url);
    const { project } = (await call(url, 'GET', `/agents/projects/${id}`, { key })).body.data;
    for (const name of ['drafted_at', 'hold_reason', 'payouts', 'email', 'poster_name', 'pay_to', 'funding_wallet'])
      assert.equal(name in project, false, name);
    assert.ok((await createIntent(url, key, id)).id);
  });
});

it('refuses to publish a draft of an older version whose fee is too small now', async () => {
  const id = await draft();
  await service.deps.db`update projects set entry_fee_micro = 9999 where id = ${id}`;
  const answer = await call(url, 'POST', `${projects}/${id}/publish`, { key: poster.key });
  codeIs(answer, 400, 'VALIDATION_ERROR', /entry_fee/);
});

it('the tests received every answer that these operations can give', async () => {
  const elsewhere = ['duplicateProject', ...Object.keys(referenceOperations), ...Object.keys(posterKeyOperations)];
  const missing = notSeen('Posters').filter((answer) => !elsewhere.some((id) => answer.startsWith(`${id} `)));
  assert.deepEqual(missing, []);
  assert.deepEqual(errors, []);
  const { balanced, chain_matches } = await ledger(world);
  assert.deepEqual([balanced, chain_matches], [true, true]);
});
