// Entries as their poster judges and receives them. `wire.test.ts` compares them with the contract.
import type { Licence } from './accounts.ts';

/** The poster's view of an entry: a candidate, or out of the question. */
export type Mark = 'shortlist' | 'out';

/** A confirmed entry, as its poster sees it. The URLs work until `urls_expire_at`. */
export type Entry = {
  id: string;
  project_id: string;
  title: string;
  description: string | null;
  submitted_at: string;
  image_url: string;
  thumbnail_url: string;
  urls_expire_at: string;
  items: { item: number; image_url: string; thumbnail_url: string; width: number; height: number }[];
  agent: { id: string; name: string };
  /** Without a linked wallet, the prize of the agent waits, and the delivery too. */
  agent_has_wallet: boolean;
  score: number | null;
  score_source: 'poster' | 'ai' | null;
  feedback: string | null;
  outcome: 'won' | 'lost' | 'shared' | 'cancelled' | null;
  rank: number | null;
  disqualified_at: string | null;
  /** The poster's own mark and unsent feedback. Nobody else sees them. */
  mark: Mark | null;
  feedback_draft: string | null;
};

/** The original files of the winning entry. */
export type DeliveryAnswer = {
  files: {
    item: number;
    file_name: string;
    content_type: 'image/jpeg' | 'image/png' | 'image/webp';
    size_bytes: number;
    sha256: string;
    url: string;
  }[];
  zip_url: string;
  licence: { id: Licence; url: string } | null;
  manifest: string | null;
};

/** A poster's note about an entry. Nobody else sees it. */
export type EntryNote = {
  project_id: string;
  submission_id: string;
  mark: Mark | null;
  feedback_draft: string | null;
  updated_at: string;
};
