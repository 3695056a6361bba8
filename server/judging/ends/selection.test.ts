import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideShares, decideWinner, isEligible, selectByScores } from './selection.ts';

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
  it("takes the poster's highest score above 1; equal scores go to the earlier confirmation, then to the lower id", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const scored = all.filter((each) => isEligible(each) && each.score! > 1 && each.scoreSource === 'poster');
        const selected = selectByScores(all);
        if (scored.length === 0) return assert.notEqual(selected?.selection, 'scores');
        assert.equal(selected?.selection, 'scores');
        const { winner } = selected;
        assert.ok(scored.includes(winner));
        for (const other of scored) {
          if (other === winner) continue;
          assert.ok(winner.score! > other.score! || (winner.score === other.score && isEarlier(winner, other)));
        }
      }),
    );
  });

  it("uses the AI judge's scores if the poster scored none; an entry without a score does not stop them", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const eligible = all.filter((each) => isEligible(each) && each.score! > 1);
        const byAi = eligible.some(({ scoreSource }) => scoreSource === 'ai');
        const byPoster = eligible.some(({ scoreSource }) => scoreSource === 'poster');
        assert.equal(selectByScores(all)?.selection ?? null, byPoster ? 'scores' : byAi ? 'ai' : null);
      }),
    );
  });
});

describe('the outcome of an award', () => {
  it('ranks the winner first, and the other eligible entries by score, then confirmation, then id', () => {
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
        assert.equal(ranked[0]!.id, winnerId);
        for (const [index, { id }] of ranked.entries()) {
          const [mine, next] = [byId.get(id)!, byId.get(ranked[index + 1]?.id ?? '')];
          assert.ok(isEligible(mine));
          if (!next || index === 0) continue;
          assert.ok(
            (mine.score ?? 0) > (next.score ?? 0) || ((mine.score ?? 0) === (next.score ?? 0) && isEarlier(mine, next)),
          );
        }
        assert.deepEqual(
          decided.filter(({ outcome }) => outcome === 'won'),
          [{ id: winnerId, rank: 1, outcome: 'won', earningsMicro: 95 }],
        );
        assert.equal(
          decided.reduce((sum, { earningsMicro }) => sum + earningsMicro, 0),
          95,
        );
      }),
    );
  });

  it('shares exactly to the microdollar: equal parts, the remainder to the earliest, and nothing above the cap', () => {
    const micro = fc.integer({ min: 0, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(
        entries,
        micro,
        fc.option(micro),
        fc.infiniteStream(fc.boolean()),
        (all, receivesMicro, cap, picks) => {
          const eligible = all.filter(isEligible);
          const picked = eligible.filter(() => picks.next().value);
          const inShare = picked.length > 0 ? picked : eligible;
          const sharing = new Set(inShare.map(({ id }) => id));
          const capMicro = cap ?? receivesMicro;
          const decided = decideShares(all, { receivesMicro, sharing, ...(cap === null ? {} : { capMicro }) });
          const share = Math.floor(receivesMicro / inShare.length);
          const earliest = inShare.reduce((first, each) => (isEarlier(each, first) ? each : first));
          assert.equal(decided.length, all.length);
          for (const { id, outcome, earningsMicro } of decided) {
            assert.equal(outcome, sharing.has(id) ? 'shared' : 'lost');
            const left = id === earliest.id ? receivesMicro - share * inShare.length : 0;
            assert.equal(earningsMicro, sharing.has(id) ? Math.min(capMicro, share + left) : 0);
          }
          const sum = decided.reduce((total, { earningsMicro }) => total + earningsMicro, 0);
          assert.ok(sum <= receivesMicro);
          if (cap === null) assert.equal(sum, receivesMicro);
        },
      ),
    );
  });
});
