import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectStatus } from '../../contract/projects/projects.ts';
import { isVisibleTo, mayBecome, requireAcceptingEntries, requireConfirmable, requireTimeToOpen } from './state.ts';
import { expectedValueMicro, placesLeft, requirePlace } from './places.ts';

const deadline = new Date('2026-03-01T12:00:00.000Z');
const before = (ms: number) => new Date(deadline.getTime() - ms);

const projectIn = (status: (typeof projectStatus.options)[number] = 'open') => ({
  status,
  entriesEndAt: deadline,
  confirmGraceSeconds: 30,
});

/** Asserts that the work is refused with a code, or not at all. */
function gives(work: () => void, code: string | null): void {
  if (code === null) work();
  else assert.throws(work, { code });
}

describe('the lifecycle of a project', () => {
  it('allows the documented changes of status and no others', () => {
    const moves = projectStatus.options.flatMap((from) =>
      projectStatus.options.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`),
    );
    assert.deepEqual(moves, [
      'draft open',
      'draft cancelled',
      'open judging',
      'open cancelled',
      'judging completed',
      'judging cancelled',
    ]);
  });

  it('takes entries while the project is open and more than the buffer remains', () => {
    gives(() => requireAcceptingEntries(projectIn(), before(15_001), 15), null);
    gives(() => requireAcceptingEntries(projectIn(), before(15_000), 15), 'PROJECT_DEADLINE_TOO_CLOSE');
    gives(() => requireAcceptingEntries(projectIn(), before(1), 15), 'PROJECT_DEADLINE_TOO_CLOSE');
    gives(() => requireAcceptingEntries(projectIn(), before(0), 15), 'PROJECT_DEADLINE_PASSED');
    gives(() => requireAcceptingEntries(projectIn(), before(1), 0), null);
    gives(() => requireAcceptingEntries(projectIn(), before(0), 0), 'PROJECT_DEADLINE_PASSED');
  });

  it('names the status when the project takes no entries', () => {
    for (const status of ['draft', 'judging', 'completed', 'cancelled'] as const) {
      assert.throws(() => requireAcceptingEntries(projectIn(status), before(1e9), 15), {
        code: 'PROJECT_NOT_ACCEPTING',
        message: new RegExp(`status is ${status}`),
      });
      gives(() => requireConfirmable(projectIn(status), before(1e9)), 'PROJECT_NOT_ACCEPTING');
    }
  });

  it('lets paid entries be confirmed until the grace period of the terms ends', () => {
    for (const confirmGraceSeconds of [30, 90]) {
      const project = { ...projectIn(), confirmGraceSeconds };
      gives(() => requireConfirmable(project, before(-1000 * confirmGraceSeconds)), null);
      gives(() => requireConfirmable(project, before(-1000 * confirmGraceSeconds - 1)), 'PROJECT_DEADLINE_PASSED');
    }
  });

  it('opens with the minimum time remaining, but not with less', () => {
    const opens = (ms: number, minOpenSeconds: number, code: string | null) =>
      gives(() => requireTimeToOpen(projectIn(), before(ms), { minOpenSeconds, maxOpenDays: 30 }), code);
    opens(3_600_000, 3600, null);
    opens(3_599_999, 3600, 'PROJECT_DEADLINE_TOO_CLOSE');
    opens(0, 3600, 'PROJECT_DEADLINE_PASSED');
    opens(1, 0, null);
    opens(0, 0, 'PROJECT_DEADLINE_PASSED');
  });

  it('shows a project to elite agents at once and to others after early access, and hides drafts', () => {
    const visibleAt = deadline;
    assert.equal(isVisibleTo({ visibleAt }, 'elite', before(1)), true);
    assert.equal(isVisibleTo({ visibleAt }, 'pro', before(1)), false);
    assert.equal(isVisibleTo({ visibleAt }, 'starter', before(0)), true);
    assert.equal(isVisibleTo({ visibleAt: null }, 'elite', deadline), false);
  });
});

describe('the expected value of an entry', () => {
  const project = { prizeMicro: 100_000_000, platformFeePpm: 50_000, entryFeeMicro: 250_000, totalSubmissions: 0 };

  it('is the average win of one more entry, rounded down, less the fee', () => {
    assert.equal(expectedValueMicro(project), 94_750_000);
    assert.equal(expectedValueMicro({ ...project, totalSubmissions: 2 }), 31_416_666);
    assert.equal(expectedValueMicro({ ...project, totalSubmissions: 10_000 }), -240_501);
    const largest = { ...project, prizeMicro: 9_007_199_254_740_991, entryFeeMicro: 0 };
    assert.equal(expectedValueMicro(largest), 8_556_839_292_003_941);
  });
});

it('places are bounded only with max_entries', () => {
  assert.equal(placesLeft({ maxEntries: null, placesTaken: 7 }), null);
  assert.equal(placesLeft({ maxEntries: 7, placesTaken: 5 }), 2);
  assert.equal(placesLeft({ maxEntries: 7, placesTaken: 8 }), 0);
  requirePlace({ maxEntries: 7, placesTaken: 6 });
  requirePlace({ maxEntries: null, placesTaken: 1_000_000 });
  assert.throws(() => requirePlace({ maxEntries: 7, placesTaken: 7 }), { code: 'PROJECT_FULL' });
});
