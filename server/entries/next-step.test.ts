import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EntryFacts, nextStep } from './next-step.ts';

const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const at = (seconds: number) => new Date(NOW + seconds * 1000);

type Change = Partial<Omit<EntryFacts, 'project'>> & { project?: Partial<EntryFacts['project']> };
type Item = EntryFacts['files'][number];

function next(change: Change, restriction: { since: Date | null } | null = null) {
  return stepOf(change, restriction)?.operation ?? null;
}

function stepOf({ project, ...entry }: Change, restriction: { since: Date | null } | null = null) {
  const facts: EntryFacts = {
    status: 'pending',
    payment: 'none',
    files: [],
    holdsPlace: (entry.payment ?? 'none') !== 'none',
    ...entry,
    project: {
      status: 'open',
      itemCount: 1,
      entriesEndAt: at(600),
      maxEntries: null,
      placesTaken: 0,
      closesAt: null,
      confirmGraceSeconds: 30,
      ...project,
    },
  };
  return nextStep(facts, { now: at(0), restriction });
}

/** The step without its reason and its end. */
function shortStepOf(change: Change) {
  const { until: _until, why: _why, ...step } = stepOf(change) ?? {};
  return step;
}

const file = (state: Item['state'], item = 1, uploadedAt: Date | null = null): Item => ({ item, state, uploadedAt });
const uploaded = { files: [file('uploaded', 1, at(-10))] };

describe('nextStep', () => {
  it('leads from the intent to the confirmation', () => {
    assert.equal(next({}), 'requestUpload');
    for (const payment of ['settling', 'settled'] as const) assert.equal(next({ payment }), 'requestUpload');
    for (const fileState of ['expected', 'refused'] as const)
      assert.equal(next({ files: [file(fileState)] }), 'requestUpload');
    assert.equal(next(uploaded), 'confirmUpload');
    for (const status of ['submitted', 'withdrawn'] as const) assert.equal(next({ ...uploaded, status }), null);
  });

  it('leads a set through the items that were begun, lowest first, and then to the confirmation', () => {
    const files = [file('uploaded', 1, at(-10)), file('refused', 3), file('expected', 4)];
    assert.deepEqual(shortStepOf({ files }), { operation: 'requestUpload', item: 3 });
    assert.deepEqual(shortStepOf({ files: files.toSpliced(1, 1) }), { operation: 'requestUpload', item: 4 });
    assert.deepEqual(shortStepOf({ files: files.slice(0, 1) }), { operation: 'confirmUpload' });
    assert.deepEqual(shortStepOf({ files: [file('uploaded', 2, at(-10))] }), { operation: 'confirmUpload' });
    assert.deepEqual(shortStepOf({ files: [] }), { operation: 'requestUpload', item: 1 });
    // After the deadline there is no new URL, so the items that are there are confirmed.
    assert.deepEqual(shortStepOf({ files, project: { entriesEndAt: at(0) } }), { operation: 'confirmUpload' });
    assert.equal(stepOf({ files: files.slice(1), project: { entriesEndAt: at(0) } }), null);
  });

  it('says until when, and why', () => {
    const requested = stepOf({ payment: 'settled' });
    assert.deepEqual([requested?.until, requested?.why], [at(600), 'Item 1 has no file; the fee is paid.']);
    const inProgress = 'Item 1 has no file; the payment of the fee is in progress, so do not sign another.';
    assert.equal(stepOf({ payment: 'settling' })?.why, inProgress);
    assert.deepEqual(stepOf(uploaded)?.until, at(630), 'the deadline and the grace of the confirmation');
    const notYet = 'What is uploaded is not in the competition yet.';
    assert.equal(stepOf(uploaded)?.why, notYet);
    const partOfSet = `${notYet} Items without a file: 2, 3. They cannot be added afterwards.`;
    assert.equal(stepOf({ ...uploaded, project: { itemCount: 3 } })?.why, partOfSet);
  });

  it('ends with the project', () => {
    for (const status of ['judging', 'completed', 'cancelled'] as const)
      assert.equal(next({ ...uploaded, project: { status } }), null);
    assert.equal(next({ project: { entriesEndAt: at(0) } }), null);
    assert.equal(next({ ...uploaded, project: { entriesEndAt: at(-30) } }), 'confirmUpload');
    assert.equal(next({ ...uploaded, project: { entriesEndAt: at(-30.001) } }), null);
  });

  it('keeps an entry without a place out of a full project, and lets one with a place finish', () => {
    const project = { maxEntries: 2, placesTaken: 2 };
    assert.equal(next({ project }), null);
    assert.equal(next({ ...uploaded, project }), null);
    for (const payment of ['settling', 'settled'] as const) {
      assert.equal(next({ payment, project }), 'requestUpload');
      assert.equal(next({ ...uploaded, payment, project }), 'confirmUpload');
      assert.equal(next({ ...uploaded, payment, project, holdsPlace: false }), null);
    }
    assert.equal(next({ project: { maxEntries: 2, placesTaken: 1 } }), 'requestUpload');
  });

  it('starts nothing after the notice of an early end, and counts to that end', () => {
    const project = { closesAt: at(60), entriesEndAt: at(60) };
    assert.equal(next({ project }), null);
    assert.equal(next({ ...uploaded, project }), 'confirmUpload');
    assert.deepEqual(stepOf({ payment: 'settled', project })?.until, at(60));
    assert.equal(next({ payment: 'settled', project: { ...project, entriesEndAt: at(0) } }), null);
  });

  it('lets a restricted agent finish what it paid for or uploaded before', () => {
    const since = { since: at(-5) };
    assert.equal(next({}, since), null);
    assert.equal(next({ payment: 'settled' }, since), 'requestUpload');
    assert.equal(next({ ...uploaded, payment: 'settled' }, since), 'confirmUpload');
    assert.equal(next(uploaded, since), 'confirmUpload');
    assert.equal(next({ files: [file('uploaded', 1, at(-5))] }, since), 'confirmUpload');
    assert.equal(next({ files: [file('uploaded', 1, at(-4.999))] }, since), null);
    assert.equal(next(uploaded, { since: null }), null);
    const [before, after] = [file('uploaded', 1, at(-10)), file('uploaded', 2, at(-4))];
    assert.equal(next({ files: [before, file('uploaded', 2, at(-6))] }, since), 'confirmUpload');
    assert.equal(next({ files: [before, after] }, since), null);
  });
});
