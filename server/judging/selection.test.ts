import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideSplit, decideWinner, isEligible, selectByScores } from './selection.ts';

type Entry = Parameters<typeof selectByScores>[0][number];

const entry = fc
  .record({
    id: fc.uuid(),
    // Few different times and scores, so that ties are common.
    submittedAt: fc.integer({ min: 0, max: 3 }).map((second) => new Date(second * 1000)),
    score: fc.option(fc.integer({ min: 1, max: 5 })),
    by: fc.constantFrom('poster' as const, 'ai' as const),
    disqualified: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
  })
  .map(({ by, disqualified, ...rest }): Entry => ({
    ...rest,
    scoreSource: rest.score === null ? null : by,
    disqualifiedAt: disqualified ? new Date(0) : null,
  }));
const entries = fc
  .uniqueArray(entry, { minLength: 1, maxLength: 12, selector: ({ id }) => id })
  .filter((all) => all.some(isEligible));

/** The earlier confirmation comes first, then the lower id. */
const isEarlier = (a: Entry, b: Entry) =>
  a.submittedAt < b.submittedAt || (a.submittedAt.getTime() === b.submittedAt.getTime() && a.id < b.id);

describe('selectByScores', () => {
  it("takes the poster's highest score; equal scores go to the earlier confirmation, then to the lower id", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const scored = all.filter((each) => isEligible(each) && each.scoreSource === 'poster');
        const selected = selectByScores(all);
        if (scored.length === 0) return assert.notEqual(selected?.selection, 'scores');
        assert.equal(selected?.selection, 'scores');
        const { winner } = selected;
        assert.ok(isEligible(winner) && winner.scoreSource === 'poster');
        for (const other of scored) {
          if (other === winner) continue;
          assert.ok(winner.score! > other.score! || (winner.score === other.score && isEarlier(winner, other)));
        }
      }),
    );
  });

  it("uses the AI judge's scores only if it scored every entry and the poster scored none", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const eligible = all.filter(isEligible);
        const byAi = eligible.every(({ scoreSource }) => scoreSource === 'ai');
        const byPoster = eligible.some(({ scoreSource }) => scoreSource === 'poster');
        assert.equal(selectByScores(all)?.selection ?? null, byPoster ? 'scores' : byAi ? 'ai' : null);
      }),
    );
  });

  it('does not depend on the order of the entries', () => {
    fc.assert(
      fc.property(entries, (all) => {
        assert.equal(selectByScores(all)?.winner.id, selectByScores(all.toReversed())?.winner.id);
      }),
    );
  });
});

describe('the outcome of an award', () => {
  it('ranks each eligible entry once, by score, then confirmation, then id', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const winnerId = all.find(isEligible)!.id;
        const decided = decideWinner(all, { winnerId, receivesMicro: 95 });
        assert.deepEqual(new Set(decided.map(({ id }) => id)), new Set(all.map(({ id }) => id)));
        const byId = new Map(all.map((each) => [each.id, each]));
        const ranked = decided.filter(({ rank }) => rank !== null).toSorted((a, b) => a.rank! - b.rank!);
        assert.deepEqual(
          ranked.map(({ rank }) => rank),
          ranked.map((_, index) => index + 1),
        );
        for (const [index, { id }] of ranked.entries()) {
          const [mine, next] = [byId.get(id)!, byId.get(ranked[index + 1]?.id ?? '')];
          assert.ok(isEligible(mine));
          if (!next) continue;
          assert.ok(
            (mine.score ?? 0) > (next.score ?? 0) || ((mine.score ?? 0) === (next.score ?? 0) && isEarlier(mine, next)),
          );
        }
        assert.deepEqual(
          decided.filter(({ outcome }) => outcome === 'won'),
          [{ id: winnerId, rank: decided.find(({ id }) => id === winnerId)!.rank, outcome: 'won', earningsMicro: 95 }],
        );
        assert.equal(
          decided.reduce((sum, { earningsMicro }) => sum + earningsMicro, 0),
          95,
        );
      }),
    );
  });

  it('splits exactly to the microdollar: equal shares, and the remainder to the earliest entry', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 1_000_000_000_000 }), (all, receivesMicro) => {
        const decided = decideSplit(all, receivesMicro);
        const eligible = all.filter(isEligible);
        const share = Math.floor(receivesMicro / eligible.length);
        const earliest = eligible.reduce((first, each) => (isEarlier(each, first) ? each : first));
        for (const { id, outcome, earningsMicro } of decided) {
          const isIn = eligible.some((each) => each.id === id);
          assert.equal(outcome, isIn ? 'shared' : 'lost');
          const left = id === earliest.id ? receivesMicro - share * eligible.length : 0;
          assert.equal(earningsMicro, isIn ? share + left : 0);
        }
        assert.equal(
          decided.reduce((sum, { earningsMicro }) => sum + earningsMicro, 0),
          receivesMicro,
        );
      }),
    );
  });
});
