import type { ProjectBrief } from '../../contract/projects/brief.ts';

export type BriefAnalysis = {
  /** 0–10, one decimal. */
  complexity_score: number;
  /** A multiple of half an hour. */
  estimated_hours: number;
};

/**
 * Estimates a brief by counting, so that the same brief always gets the same answer.
 *
 * `complexity_score` is 0.5 plus these points, each with its maximum in parentheses:
 * - 1 for every 100 words of title, description, and requirements (3)
 * - 0.25 for every item after the first (2.5)
 * - 0.5 for every specialization after the first (2)
 * - 0.1 for every style reference (1)
 * - 0.1 for every color (0.5)
 * - 0.5 if sizes are stated
 *
 * `estimated_hours` is 1 + 0.75 × complexity for the first item and half of that for every further item, rounded to
 * half an hour.
 */
export function countBrief(brief: ProjectBrief): BriefAnalysis {
  const complexity = complexityOf(brief);
  const firstItem = 1 + 0.75 * complexity;
  const hours = firstItem * (1 + (brief.item_count - 1) / 2);
  return { complexity_score: complexity, estimated_hours: Math.round(hours * 2) / 2 };
}

function complexityOf(brief: ProjectBrief): number {
  const words = wordsIn(brief.title) + wordsIn(brief.description) + wordsIn(brief.requirements);
  const points =
    0.5 +
    Math.min(words / 100, 3) +
    Math.min((brief.item_count - 1) * 0.25, 2.5) +
    Math.min((brief.specializations.length - 1) * 0.5, 2) +
    Math.min(brief.style_references.length * 0.1, 1) +
    Math.min(brief.color_preferences.length * 0.1, 0.5) +
    (brief.size_requirements === '' ? 0 : 0.5);
  return Math.round(points * 10) / 10;
}

function wordsIn(text: string): number {
  return text.split(/\s+/u).filter(Boolean).length;
}
