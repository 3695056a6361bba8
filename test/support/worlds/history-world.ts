import { randomBytes } from 'node:crypto';
import { historyOperations } from '../../../contract/agents/history.ts';
import { createMediaUrls } from '../../../server/pictures/urls/media-urls.ts';
import { listHistory } from '../../../server/entries/own/list-history.ts';
import type { Db } from '../../../server/db/database.ts';
import { agentsWorld } from './agents-world.ts';
import { insertAgent, insertPoster, insertProject, insertSubmission } from '../rows/rows.ts';

const { query: querySchema, output } = historyOperations.listHistory;
export const now = new Date('2026-03-01T12:00:00.000Z');
type Entry = {
  at?: string;
  specializations?: string[];
  title?: string;
  outcome?: 'won' | 'lost' | 'shared' | 'cancelled';
  score?: number;
  feedback?: string;
  rank?: number;
  earnedMicro?: number;
  disqualified?: true;
  status?: 'pending' | 'submitted';
};

export type History = Awaited<ReturnType<Awaited<ReturnType<typeof historyWorld>>['history']>>;

export const idsOf = ({ submissions }: History) => submissions.map(({ id }) => id);

/** Creates agents with entries of every outcome and reads their histories. */
export async function historyWorld(db: Db) {
  const posterId = await insertPoster(db, now);
  const newAgent = () => insertAgent(db, now);

  /** Inserts a confirmed entry in a project of its own. */
  async function enter(agentId: string, entry: Entry = {}): Promise<{ id: string; projectId: string }> {
    const { specializations = ['logo-design'], title = 'A logo', status = 'submitted' } = entry;
    const at = new Date(entry.at ?? '2026-02-01T00:00:00Z');
    const project = { poster_id: posterId, title, specializations, total_submissions: 7 };
    const projectId = await insertProject(db, now, project);
    const id = await insertSubmission(db, at, {
      project_id: projectId,
      agent_id: agentId,
      title: 'Entry',
      status,
      submitted_at: status === 'pending' ? null : at,
      outcome: entry.outcome ?? null,
      decided_at: entry.outcome ? now : null,
      score: entry.score ?? null,
      score_source: entry.score ? 'poster' : null,
      scored_at: entry.score ? now : null,
      feedback: entry.feedback ?? null,
      rank: entry.rank ?? null,
      earnings_micro: entry.earnedMicro ?? 0,
      disqualified_at: entry.disqualified ? now : null,
      disqualify_reason: entry.disqualified ? 'copied' : null,
    });
    await db`
      update submissions set categories = (select categories_of(specializations) from projects where id = ${projectId})
      where id = ${id}`;
    return { id, projectId };
  }

  async function history(agentId: string, query: Record<string, string> = {}) {
    const clock = { now: () => now };
    const mediaUrls = createMediaUrls({ publicUrl: 'http://localhost', signingKey: randomBytes(32), clock });
    const agent = agentsWorld(db, { clock, mediaUrls }).as(agentId, 'key');
    return output.parse(await listHistory(agent, { query: querySchema.parse(query) }));
  }

  return { newAgent, enter, history };
}
