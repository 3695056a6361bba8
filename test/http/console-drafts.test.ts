import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { arrange, type Arrangement } from '../../console/poster/judging/arrange.ts';
import {
  bodyValue,
  changesBetween,
  type DraftValues,
  FIELDS,
  flawsOf,
  newValues,
  takeChanges,
} from '../../console/poster/draft/draft-values.ts';
import { localInput } from '../../console/format/dates.ts';
import { posterBrief } from '../../console/messages/public.ts';
import { posterOperations } from '../../contract/posters.ts';

// Tests the logic of the forms and the gallery of posters' pages, without a browser.

const now = new Date('2026-03-01T12:00:00.000Z');
const good = (given: Partial<DraftValues> = {}): DraftValues => ({
  ...newValues(now),
  title: 'First light',
  description: 'A lighthouse at dusk, calm water, one boat.',
  specializations: ['logo-design'],
  prize_amount: '100',
  ...given,
});

describe('the form of a draft', () => {
  it('names exactly the missing fields of an empty draft', () => {
    const flaws = Object.keys(flawsOf(newValues(now), now));
    assert.deepEqual(flaws.toSorted(), ['description', 'prize_amount', 'specializations', 'title']);
    assert.deepEqual(flawsOf(good(), now), {});
  });

  it('converts typed text into values that the service accepts', () => {
    const values = good({
      prize_amount: ' 2,5 ',
      color_preferences: 'red, , #00ff00 ',
      style_references: 'https://a.example\n\n https://b.example/x ',
      tags: '',
      judging_hours: ' 12 ',
      max_entries: ' 20 ',
    });
    const body = Object.fromEntries(FIELDS.map((field) => [field, bodyValue(values, field)]));
    const parsed = posterOperations.draftProject.body.parse(body);
    assert.equal(parsed.prize_amount, 2_500_000);
    assert.deepEqual(parsed.color_preferences, ['red', '#00ff00']);
    assert.deepEqual(parsed.style_references, ['https://a.example', 'https://b.example/x']);
    assert.deepEqual([parsed.tags, parsed.judging_hours, parsed.max_entries], [[], 12, 20]);
    assert.equal(bodyValue(good(), 'max_entries'), null);
  });

  it('names values that the service would refuse, and dates in the past', () => {
    const wrong: Partial<DraftValues> = {
      title: ' a ',
      prize_amount: '0.99',
      entry_fee: '-1',
      item_count: '21',
      judging_hours: '1.5',
      max_entries: '1',
      style_references: 'javascript:alert(1)',
      auto_select_deadline: localInput(now),
    };
    assert.deepEqual(Object.keys(flawsOf(good(wrong), now)).toSorted(), Object.keys(wrong).toSorted());
    assert.deepEqual(Object.keys(flawsOf(good({ auto_select_deadline: '' }), now)), ['auto_select_deadline']);
  });

  it('saves only changed and valid fields', () => {
    const stored = good();
    assert.deepEqual(changesBetween(stored, good(), now), {});
    // The same tags in another spelling are not a change.
    assert.deepEqual(changesBetween(good({ tags: 'a, b' }), good({ tags: 'a,b,' }), now), {});
    // The service trims texts and reads amounts as numbers, so the page would send these again and again.
    const spelled = good({ title: 'First light ', description: `${stored.description}\n`, prize_amount: '100.0' });
    assert.deepEqual(changesBetween(stored, spelled, now), {});
    const typed = good({ title: 'Last light', prize_amount: 'much', tags: 'sea' });
    assert.deepEqual(changesBetween(stored, typed, now), { title: 'Last light', tags: ['sea'] });
  });
});

describe('the guidance for a prize', () => {
  it('counts one similar brief, and several', () => {
    const { notEnough } = posterBrief.guidance;
    assert.match(notEnough({ projects: 1, needed: 5 }), /: 1 similar brief is completed/);
    assert.match(notEnough({ projects: 2, needed: 5 }), /: 2 similar briefs are completed/);
  });
});

describe('changes of a draft that another window saved', () => {
  const before = good({ tags: 'sea', requirements: '' });

  it('are taken for each field that was not edited here', () => {
    const after = good({ tags: 'sea', requirements: 'Leave room for the title' });
    const values = takeChanges(good({ tags: 'sea, boat', requirements: '' }), before, after);
    assert.deepEqual(changesBetween(after, values, now), { tags: ['sea', 'boat'] });
    assert.equal(values.requirements, 'Leave room for the title');
  });

  it('leave fields that were edited here: invalid ones, and those of both windows', () => {
    const values = good({ tags: 'boat', prize_amount: 'much' });
    const taken = takeChanges(values, before, good({ tags: 'lamp', prize_amount: '7' }));
    assert.deepEqual([taken.tags, taken.prize_amount], ['boat', 'much']);
  });

  it('leave what is being typed, if the service has the same', () => {
    const typing = good({ tags: 'sea, ', requirements: '' });
    assert.equal(takeChanges(typing, before, good({ tags: 'sea', requirements: '' })), typing);
  });
});

describe('the order of entries', () => {
  const entry = (
    id: string,
    score: number | null = null,
    disqualified = false,
    mark: 'shortlist' | 'out' | null = null,
  ) => ({
    id,
    score,
    mark,
    submitted_at: `2026-03-01T12:00:0${id}.000Z`,
    disqualified_at: disqualified ? '2026-03-01T13:00:00.000Z' : null,
  });
  const none: Arrangement = { key: '', ids: [] };
  const asked = { filter: 'all', order: 'unscored', loaded: true } as const;

  it('lists unscored entries first, the newest, or the best, each sorted by time', () => {
    const entries = [entry('1', 3), entry('2'), entry('3', 5), entry('4')];
    assert.deepEqual(arrange(none, entries, asked).ids, ['2', '4', '1', '3']);
    assert.deepEqual(arrange(none, entries, { ...asked, order: 'newest' }).ids, ['4', '3', '2', '1']);
    assert.deepEqual(arrange(none, entries, { ...asked, order: 'best' }).ids, ['3', '1', '2', '4']);
  });

  it('takes an entry that is out for one that needs no score, and filters by marks', () => {
    const entries = [entry('1', null, false, 'out'), entry('2'), entry('3', 4, false, 'shortlist')];
    assert.deepEqual(arrange(none, entries, asked).ids, ['2', '1', '3']);
    assert.deepEqual(arrange(none, entries, { ...asked, filter: 'unscored' }).ids, ['2']);
    assert.deepEqual(arrange(none, entries, { ...asked, filter: 'shortlist' }).ids, ['3']);
    assert.deepEqual(arrange(none, entries, { ...asked, filter: 'out' }).ids, ['1']);
  });

  it('lists the winner before the best entry', () => {
    const entries = [entry('1', 5), { ...entry('2', 3), outcome: 'won' }, entry('3')];
    assert.deepEqual(arrange(none, entries, { ...asked, order: 'best' }).ids, ['2', '1', '3']);
  });

  it('keeps entries in place when they get a score, and appends new entries', () => {
    const first = arrange(none, [entry('1'), entry('2')], { ...asked, filter: 'unscored' });
    const scored = [entry('1', 4), entry('2')];
    assert.equal(arrange(first, scored, { ...asked, filter: 'unscored' }), first);
    const more = arrange(first, [...scored, entry('3')], { ...asked, filter: 'unscored' });
    assert.deepEqual(more.ids, ['1', '2', '3']);
    assert.deepEqual(arrange(more, scored, { ...asked, filter: 'scored' }).ids, ['1']);
  });

  it('counts disqualified entries neither as scored nor as unscored', () => {
    const entries = [entry('1', 3, true), entry('2', null, true), entry('3'), entry('4', 1)];
    const shown = (filter: 'all' | 'unscored' | 'scored' | 'disqualified') =>
      arrange(none, entries, { ...asked, filter }).ids.toSorted();
    assert.deepEqual(
      [shown('unscored'), shown('scored'), shown('disqualified'), shown('all')],
      [['3'], ['4'], ['1', '2'], ['1', '2', '3', '4']],
    );
  });
});
