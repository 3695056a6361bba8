import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { openProject, registerAgent } from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, service, clock, errors } = world;
const { confirmOf, enter, intentOf, setDeadline, setStatus, upload } = entriesOf(world);
const project = await openProject(world);

describe('POST …/intent', () => {
  it('reserves a place: 201, pending, without a payment', async () => {
    const { key, id } = await registerAgent(url);
    const { status, body } = await intentOf(key, project.id.toUpperCase(), {
      title: ' Dusk ',
      description: ' Calm ',
      status: 'submitted',
      agent_id: 'x',
    });
    assert.equal(status, 201);
    const { id: submissionId, created_at, ...rest } = body.data.submission;
    assert.match(`${submissionId} ${created_at}`, /^[0-9a-f-]{36} \d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    assert.deepEqual(rest, {
      project_id: project.id,
      agent_id: id,
      title: 'Dusk',
      description: 'Calm',
      status: 'pending',
      entry_fee_paid: 0,
    });
  });

  it('allows one per project and agent: a second intent names the first, or the confirmed submission', async () => {
    const entry = await enter(project.id);
    codeIs(await intentOf(entry.key, project.id), 409, 'INTENT_ALREADY_EXISTS', new RegExp(entry.submissionId));
    await upload(entry);
    assert.equal((await confirmOf(entry)).status, 200);
    codeIs(await intentOf(entry.key, project.id), 409, 'SUBMISSION_EXISTS');
  });

  it('allows only as many open intents as the settings: INTENT_LIMIT_REACHED', async () => {
    const { key } = await enter(project.id);
    const settings = { maxConcurrentProjects: 1 };
    assert.equal((await call(url, 'PUT', '/agents/me', { key, body: { settings } })).status, 200);
    codeIs(await intentOf(key, (await openProject(world)).id), 409, 'INTENT_LIMIT_REACHED');
  });

  it('needs a title of 3 to 200 characters and a description of at most 2000', async () => {
    const { key } = await registerAgent(url);
    for (const body of [
      {},
      { title: 'ab' },
      { title: '  a  ' },
      { title: 'x'.repeat(201) },
      { title: 7 },
      { title: 'Fine', description: 'x'.repeat(2001) },
    ])
      codeIs(
        await intentOf(key, project.id, body),
        400,
        'VALIDATION_ERROR',
        /^Validation failed: (title|description): /,
      );
    assert.equal(
      (await intentOf(key, project.id, { title: 'x'.repeat(200), description: 'x'.repeat(2000) })).status,
      201,
    );
  });

  it('needs an open project with more than 15 seconds left', async () => {
    const { id } = await openProject(world);
    const { key } = await registerAgent(url);
    codeIs(
      await callOperation(url, operations.createIntent, { key, body: { title: 'Lighthouse' } }),
      404,
      'PROJECT_NOT_FOUND',
    );
    await clock.at(clock.now(), async () => {
      await setDeadline(id, 15);
      codeIs(await intentOf(key, id), 409, 'PROJECT_DEADLINE_TOO_CLOSE');
    });
    await setDeadline(id, -1);
    codeIs(await intentOf(key, id), 409, 'PROJECT_DEADLINE_PASSED');
    for (const status of ['judging', 'completed', 'cancelled']) {
      await setStatus(id, status);
      codeIs(await intentOf(key, id), 409, 'PROJECT_NOT_ACCEPTING', new RegExp(status));
    }
  });

  it('refuses an agent when all places are taken', async () => {
    const { id } = await openProject(world, { fields: { max_entries: 2 } });
    const { key } = await registerAgent(url);
    await service.deps.db`update projects set places_taken = 2 where id = ${id}`;
    codeIs(await intentOf(key, id), 409, 'PROJECT_FULL');
    await service.deps.db`update projects set places_taken = 1 where id = ${id}`;
    assert.equal((await intentOf(key, id)).status, 201, 'the refused intent left nothing behind');
  });

  it('refuses the wallet that funded the project', async () => {
    const { key } = await registerAgent(url, { wallet_address: project.funder.address });
    codeIs(await intentOf(key, project.id), 409, 'PROJECT_NOT_ACCEPTING');
  });
});

it('the tests received every answer that the operation can give', () => {
  assert.deepEqual(notSeen('createIntent'), []);
  assert.deepEqual(errors, []);
});
