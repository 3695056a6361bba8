import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import {
  brief,
  expectStatus,
  openProject,
  registerAgent,
  registerPoster,
  requestUpload,
} from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The number of entries that a project takes, and what its answers say about it.

const world = await startWorld();
const { url, service, errors } = world;
const { db } = service.deps;
const { confirmOf, enter, intentOf, richPayer, upload } = entriesOf(world);

const draft = (key: string, fields: object) =>
  call(url, 'POST', '/posters/me/projects', { key, body: { ...brief(), ...fields } });

type Shown = {
  total_submissions: number;
  max_entries: number | null;
  places_left: number | null;
  expected_value_micro: number;
};

const shownOf = ({ total_submissions, max_entries, places_left, expected_value_micro }: Shown): Shown => ({
  total_submissions,
  max_entries,
  places_left,
  expected_value_micro,
});

async function placesTaken(id: string): Promise<number> {
  const [row] = await db<{ taken: number }[]>`select places_taken as taken from projects where id = ${id}`;
  return row?.taken ?? -1;
}

describe('max_entries', () => {
  it('is a whole number from 2 to 10,000, or null, and changes only in a draft', async () => {
    const { key } = await registerPoster(url);
    for (const max_entries of [1, 10_001, 2.5, '2', 0, -2])
      codeIs(await draft(key, { max_entries }), 400, 'VALIDATION_ERROR', /max_entries/);
    for (const max_entries of [2, 10_000, null]) {
      const { project } = expectStatus(await draft(key, { max_entries }), 201).body.data;
      assert.deepEqual([project.max_entries, project.places_left], [max_entries, max_entries]);
    }
    const { project } = expectStatus(await draft(key, {}), 201).body.data;
    assert.equal(project.max_entries, null);
    const patch = (max_entries: number | null) =>
      call(url, 'PATCH', `/posters/me/projects/${project.id}`, { key, body: { max_entries } });
    assert.equal(expectStatus(await patch(7), 200).body.data.project.max_entries, 7);
    assert.equal(expectStatus(await patch(null), 200).body.data.project.max_entries, null);
    const open = await openProject(world);
    const late = { key: open.poster.key, body: { max_entries: 3 } };
    codeIs(await call(url, 'PATCH', `/posters/me/projects/${open.id}`, late), 403, 'UPDATE_FORBIDDEN');
  });
});

describe('places', () => {
  it('are taken by paid fees, and a full project charges nobody', async () => {
    const { id } = await openProject(world, { prizeUsdc: 10, entryFeeUsdc: 0.25, fields: { max_entries: 2 } });
    const entries = [await enter(id), await enter(id), await enter(id)];
    const [first, second, third] = entries;
    assert.equal(await placesTaken(id), 0, 'an intent takes no place');
    await upload(first!);
    assert.equal(await placesTaken(id), 1);
    const asked = await requestUpload(url, second!);
    codeIs(asked, 402, 'PAYMENT_REQUIRED');
    assert.match(asked.body.project.terms_hash, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(asked.body.project, {
      terms_hash: asked.body.project.terms_hash,
      terms_url: `${url}/api/v1/projects/${id}/terms`,
      total_submissions: 0,
      max_entries: 2,
      places_left: 1,
      expected_value_micro: 9_250_000,
    });
    assert.equal((await confirmOf(first!)).status, 200);
    assert.equal(await placesTaken(id), 1, 'its fee has taken the place');
    await upload(second!);
    assert.equal(await placesTaken(id), 2);
    codeIs(await requestUpload(url, third!), 409, 'PROJECT_FULL', /Nothing was charged/);
    const payer = await richPayer();
    codeIs(await requestUpload(url, { ...third!, fetch: payer.pay }), 409, 'PROJECT_FULL');
    assert.equal(await service.deps.chain.balanceMicro(payer.address), 5_000_000);
    codeIs(await intentOf((await registerAgent(url)).key, id), 409, 'PROJECT_FULL');
    codeIs(await intentOf(third!.key, id), 409, 'INTENT_ALREADY_EXISTS');
    // A paid entry is served on.
    assert.equal((await confirmOf(second!)).status, 200);
    const own = { key: first!.key };
    const seen = [
      (await call(url, 'GET', `/agents/projects/${id}`, own)).body.data.project,
      (await call(url, 'GET', `/projects/${id}`)).body.data.project,
    ];
    for (const project of seen)
      assert.deepEqual(shownOf(project as Shown), {
        total_submissions: 2,
        max_entries: 2,
        places_left: 0,
        // 9.5 ÷ 3, rounded down, less 0.25.
        expected_value_micro: 2_916_666,
      });
  });

  it('stay taken after a disqualification', async () => {
    const { id } = await openProject(world, { fields: { max_entries: 2 } });
    const entry = await enter(id);
    await upload(entry);
    assert.equal((await confirmOf(entry)).status, 200);
    const path = `/operator/projects/${id}/submissions/${entry.submissionId}/disqualify`;
    expectStatus(await call(url, 'POST', path, { key: world.operatorKey, body: { reason: 'A copy' } }), 200);
    assert.equal(await placesTaken(id), 1);
  });

  it('are unbounded without max_entries, and the expected value can be negative', async () => {
    const { id } = await openProject(world, { prizeUsdc: 1, entryFeeUsdc: 0.96 });
    const { key } = await registerAgent(url);
    const { project } = (await call(url, 'GET', `/agents/projects/${id}`, { key })).body.data;
    assert.deepEqual(shownOf(project as Shown), {
      total_submissions: 0,
      max_entries: null,
      places_left: null,
      expected_value_micro: -10_000,
    });
  });

  it('are in the event of a project that opens', async () => {
    const { id } = await openProject(world, { prizeUsdc: 10, fields: { max_entries: 20 } });
    const [event] = await db<{ body: string }[]>`select body from webhook_events where project_id = ${id}`;
    const { project } = (JSON.parse(event!.body) as { data: { project: Shown } }).data;
    assert.deepEqual(shownOf(project), {
      total_submissions: 0,
      max_entries: 20,
      places_left: 20,
      expected_value_micro: 9_250_000,
    });
  });
});

it('logs no errors', () => {
  assert.deepEqual(errors, []);
});
