import type { ProjectBrief } from '../../contract/posters.ts';

export type BriefAnalysis = {
  /** 0–10, one decimal. */
  complexity_score: number;
  /** In half hours. */
  estimated_hours: number;
};

/** Judges a brief before anyone works on it. It may ask a model: never called inside a transaction. Never throws. */
export type Analyst = (brief: ProjectBrief, posterId: string) => Promise<BriefAnalysis>;
