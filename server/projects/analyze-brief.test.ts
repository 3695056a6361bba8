import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { posterOperations, type ProjectBrief } from '../../contract/posters.ts';
import { BRIEF } from '../../test/support/worlds/projects-world.ts';
import { countBrief } from './analyze-brief.ts';

const brief = (change: object = {}): ProjectBrief => posterOperations.draftProject.body.parse({ ...BRIEF, ...change });

describe('countBrief', () => {
  it('counts as documented', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
    const plain = { title: 'One two three', description: words(47), specializations: ['a'] };
    assert.deepEqual(countBrief(brief(plain)), { complexity_score: 1, estimated_hours: 2 });
    assert.deepEqual(countBrief(brief({ ...plain, item_count: 5 })), {
      complexity_score: 2,
      estimated_hours: 7.5,
    });
    assert.deepEqual(countBrief(brief({ ...plain, specializations: ['a', 'b', 'c'] })), {
      complexity_score: 2,
      estimated_hours: 2.5,
    });
    assert.deepEqual(countBrief(brief({ ...plain, requirements: words(100), size_requirements: '1024x1024' })), {
      complexity_score: 2.5,
      estimated_hours: 3,
    });
  });

  it('gives 10 to the largest possible brief', () => {
    const largest = brief({
      description: 'word '.repeat(1900),
      item_count: 20,
      specializations: ['a', 'b', 'c', 'd', 'e'],
      style_references: Array.from({ length: 20 }, (_, index) => `https://example.com/${index}`),
      color_preferences: Array.from({ length: 20 }, (_, index) => `color ${index}`),
      size_requirements: 'large',
    });
    assert.deepEqual(countBrief(largest), { complexity_score: 10, estimated_hours: 89.5 });
  });

  it('stays within 0 to 10 with one decimal, and gives the same brief the same score', () => {
    const briefs = fc.record({
      description: fc.string({ minLength: 25, maxLength: 5000 }).filter((text) => text.trim().length >= 25),
      item_count: fc.integer({ min: 1, max: 20 }),
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 20 }),
      specializations: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }),
    });
    fc.assert(
      fc.property(briefs, (change) => {
        const first = countBrief(brief(change));
        assert.ok(first.complexity_score >= 0 && first.complexity_score <= 10);
        assert.equal(first.complexity_score, Number(first.complexity_score.toFixed(1)));
        assert.equal(first.estimated_hours * 2, Math.round(first.estimated_hours * 2));
        assert.deepEqual(countBrief(brief(change)), first);
      }),
    );
  });
});
