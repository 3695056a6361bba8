// Help for the author of a brief. `wire.test.ts` compares it with the contract.

/** A template of a brief. */
export type Template = {
  id: string;
  name: string;
  summary: string;
  /** The fields of a brief, except prize, fee, and deadline. */
  brief: {
    title: string;
    description: string;
    requirements: string;
    specializations: string[];
    item_count: number;
    size_requirements: string;
    color_preferences: string[];
    tags: string[];
  };
  /** Completed projects of the first specialization. */
  examples: { id: string; title: string }[];
};

type Spread = { median: number; lower_quartile: number; upper_quartile: number };

/** The prizes of similar completed projects. */
export type PrizeGuidance = {
  /** Whether there are enough projects: `projects` of `needed`. */
  enough: boolean;
  projects: number;
  needed: number;
  /** Null if there are not enough. */
  prize_micro: Spread | null;
  entries: Spread | null;
};

/** A reference picture of an own brief. */
export type Reference = {
  id: string;
  /** `pending`: not uploaded or not confirmed. */
  status: 'pending' | 'ready';
  file_name: string;
  content_type: string;
  size_bytes: number;
  /** Null while pending. The URLs show smaller copies. */
  picture: { width: number; height: number; sha256: string; image_url: string; thumbnail_url: string } | null;
};
