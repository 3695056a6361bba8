import type { ProjectBrief } from '../../contract/posters.ts';

export type BriefAnalysis = {
  /** 0–10, one decimal. */
  complexity_score: number;
  /** A multiple of half an hour. */
  estimated_hours: number;
};

/** Estimates a brief when it is drafted. It may ask a model, so do not call it inside a transaction. Never rejects. */
export type Analyst = (brief: ProjectBrief, posterId: string) => Promise<BriefAnalysis>;
