import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ConcoursError, createAgent, createPoster, createVisitor, type Fetch } from '../../sdk/src/index.ts';
import { testPicture } from '../support/clients/journey.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The SDK alone does all that a poster does in the console: templates, guidance, references, copies, notes, and the choice
// that closes a project.

const world = await startWorld({ env: { CLOSE_NOTICE_MINUTES: '15' } });
const { url, clock, errors } = world;

const wallet = privateKeyToAccount(generatePrivateKey());
const poster = createPoster({ url, wallet, fetch: sdkFetch });
await poster.register({ poster_name: 'Almanac House' });
await poster.faucet(20);

const deadline = () => new Date(clock.now().getTime() + 3_600_000);
const money = () => ({ prize_amount: 1, entry_fee: 0, auto_select_deadline: deadline() });

async function draft() {
  const [template] = await poster.templates();
  return await poster.draft({ ...(template?.brief ?? assert.fail('no template')), item_count: 1, ...money() });
}

async function enter(project: { id: string }, seed: number) {
  const agent = createAgent({ url, wallet: privateKeyToAccount(generatePrivateKey()), fetch: sdkFetch });
  const specializations = ['logo-design'];
  await agent.register({
    agent_name: `Atelier ${seed}`,
    description: 'Paints small pictures of the sea.',
    specializations,
  });
  return await agent.enter(project, { title: 'Dawn', file: new Uint8Array(await testPicture(seed)) });
}

function code(expected: string) {
  return (error: unknown) => error instanceof ConcoursError && error.code === expected;
}

describe('the author of a brief', () => {
  it('begins with a template, and asks what similar projects paid, also without a key', async () => {
    const project = await draft();
    assert.equal(project.status, 'draft');
    const visitor = createVisitor({ url, fetch: sdkFetch });
    assert.deepEqual(await visitor.templates(), await poster.templates());
    const guidance = await visitor.prizeGuidance('logo-design', 1);
    assert.deepEqual([guidance.enough, guidance.prize_micro], [false, null]);
    assert.ok(guidance.needed > guidance.projects);
  });

  it('changes a draft, copies it, and deletes it twice without harm', async () => {
    const project = await draft();
    const changed = await poster.update(project, { title: 'A sign for a bakery', prize_amount: '2.5' });
    assert.deepEqual([changed.title, changed.prize_amount], ['A sign for a bakery', 2_500_000]);
    const once = { idempotencyKey: 'copy-of-the-bakery-sign' };
    const copy = await poster.duplicate(project, { ...money(), title: 'A second sign' }, once);
    assert.deepEqual(
      [copy.status, copy.title, copy.description, copy.prize_amount],
      ['draft', 'A second sign', project.description, 1_000_000],
    );
    await poster.delete(project);
    await poster.delete(project);
    await assert.rejects(poster.project(project), code('PROJECT_NOT_FOUND'));
    assert.equal((await poster.project(copy)).id, copy.id);
  });

  it('attaches reference pictures once, and removes them', async () => {
    const project = await draft();
    const bytes = new Uint8Array(await testPicture(71));
    const added = await poster.references.add(project, bytes);
    assert.deepEqual(
      [added.status, added.picture?.sha256],
      ['ready', createHash('sha256').update(bytes).digest('hex')],
    );
    assert.equal((await poster.references.add(project, bytes)).id, added.id, 'the same bytes');
    const other = await poster.references.add(project, new Blob([await testPicture(72, 'webp')]));
    assert.deepEqual(
      (await poster.references.list(project)).map(({ id }) => id).toSorted(),
      [added.id, other.id].toSorted(),
    );
    const copy = await poster.duplicate(project, money());
    assert.equal((await poster.references.list(copy)).length, 2);
    await poster.references.remove(project, added.id);
    await poster.references.remove(project, added.id);
    assert.deepEqual(
      (await poster.references.list(project)).map(({ id }) => id),
      [other.id],
    );
    const text = new TextEncoder().encode('no picture');
    await assert.rejects(poster.references.add(project, text), code('FILE_INVALID'));
  });

  it('attaches a picture after a call that ended before the upload', async () => {
    const project = await draft();
    const bytes = new Uint8Array(await testPicture(73));
    const cut: Fetch = async (input, init) => {
      if (init.method === 'PUT') throw new TypeError('the connection is gone');
      return await sdkFetch(input, init);
    };
    const key = poster.key ?? '';
    const failing = createPoster({ url, key, fetch: cut, retrySeconds: 0 });
    await assert.rejects(failing.references.add(project, bytes), code('NO_ANSWER'));
    assert.deepEqual(
      (await poster.references.list(project)).map(({ status }) => status),
      ['pending'],
    );
    const added = await poster.references.add(project, bytes);
    assert.deepEqual(
      (await poster.references.list(project)).map(({ id, status }) => [id, status]),
      [[added.id, 'ready']],
    );
  });
});

describe('the judge of a project', () => {
  it('keeps notes that nobody else sees, and closes with a choice that it can withdraw', async () => {
    const project = await poster.publish(await draft(), { maxPrize: 1 });
    const [first, second] = [await enter(project, 74), await enter(project, 75)];
    const note = await poster.note(project, first.id, { mark: 'shortlist', feedback_draft: 'Calm.' });
    assert.deepEqual([note.mark, note.feedback_draft], ['shortlist', 'Calm.']);
    await poster.note(project, second.id, { mark: 'out' });
    assert.equal((await poster.note(project, second.id, { mark: null })).mark, null);
    const marks = await Array.fromAsync(poster.entries(project), (entry) => [
      entry.id,
      entry.mark,
      entry.feedback_draft,
    ]);
    assert.deepEqual(marks, [
      [first.id, 'shortlist', 'Calm.'],
      [second.id, null, null],
    ]);
    const planned = await poster.closeAndChoose(project, second.id);
    assert.deepEqual([planned.status, planned.planned_winner_id], ['open', second.id]);
    assert.equal((await poster.closeAndChoose(project, null)).planned_winner_id, null);
    assert.equal((await poster.closeAndChoose(project, first.id)).planned_winner_id, first.id);
    clock.offsetMs += 16 * 60_000;
    await until('the award', async () => (await poster.project(project)).winner_submission_id !== null);
    assert.equal((await poster.project(project)).winner_submission_id, first.id);
  });
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
