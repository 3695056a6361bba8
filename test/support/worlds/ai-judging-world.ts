import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { beforeEach } from 'node:test';
import { type AiRequest, startAiServer } from '../servers/ai-server.ts';
import { createOpenAiClient } from '../../../server/judging/ai/openai-client.ts';
import { insertAgent, insertFile, insertSubmission } from '../rows/rows.ts';
import { testDatabase } from '../test-database.ts';
import { createLog } from '../../../server/log.ts';
import { projectsWorld } from './projects-world.ts';
import type { AiJudgingDeps } from '../../../server/judging/ai/ask-about-entry.ts';
import { judgeWithAi } from '../../../server/judging/ai/judge-with-ai.ts';
import { startAiJudging } from '../../../server/judging/public.ts';

export const MINUTE = 60_000;
export const DAY_TOKENS = 100_000;

type Entry = { id: string; mediaFileId: string };

/** Creates projects in judging and a model with the answers of the test. Call it at the top of a test file. */
export async function aiJudgingWorld() {
  const key = `sk-${randomBytes(20).toString('hex')}`;
  const { db } = await testDatabase();
  const server = await startAiServer();
  const world = await projectsWorld(db);
  const deps: AiJudgingDeps = {
    db,
    clock: world.deps.clock,
    config: { ...world.deps.config, aiTokensPerDay: DAY_TOKENS },
    ai: createOpenAiClient({ url: server.url, model: 'judge-1', key }, { randomBytes }),
    publicCopies: {
      read: async (mediaFileId, variant) => Buffer.from(`${variant} of ${mediaFileId}`),
      prepare: () => {},
      stop: async () => {},
    },
    log: createLog('silent'),
  };

  beforeEach(() => {
    server.requests.length = 0;
  });

  async function enter(projectId: string, title: string): Promise<Entry> {
    const entry = { id: randomUUIDv7(), mediaFileId: randomUUIDv7() };
    const at = world.at();
    const agentId = await insertAgent(db, at, { name: 'Nobody Must Know' });
    const submission = { id: entry.id, project_id: projectId, agent_id: agentId, title, description: `About ${title}` };
    await insertSubmission(db, at, submission);
    await insertFile(db, at, entry.id, { id: entry.mediaFileId, status: 'completed' });
    return entry;
  }

  async function judge(projectId: string, change: Partial<AiJudgingDeps> = {}): Promise<void> {
    await db`delete from ai_judging where project_id <> ${projectId} and state = 'running'`;
    await db.begin((tx) => startAiJudging(tx, projectId, world.at()));
    await judgeWithAi({ ...deps, ...change }, new AbortController().signal);
  }

  async function stateOf(projectId: string): Promise<string | null> {
    const [row] = await db<{ state: string }[]>`select state from ai_judging where project_id = ${projectId}`;
    return row?.state ?? null;
  }

  async function scoresOf(projectId: string) {
    const rows = await db<{ score: number | null; feedback: string | null; source: string | null }[]>`
      select score, feedback, score_source as source from submissions where project_id = ${projectId} order by id`;
    return rows.map((row) => ({ ...row }));
  }

  return {
    db,
    key,
    server,
    judge,
    stateOf,
    scoresOf,
    advance: world.advance,
    now: () => world.at().getTime(),
    posterScores: (entryId: string, score = 2) => db`
      update submissions set score = ${score}, score_source = 'poster', scored_at = ${world.at()} where id = ${entryId}`,

    /** Creates a project in judging with confirmed entries without scores, ordered by id. */
    async judged(entries: number | string[] = 3, brief: object = {}): Promise<{ id: string; entries: Entry[] }> {
      const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Entry ${index}`);
      const id = await world.published(brief);
      await db`update projects set status = 'judging' where id = ${id}`;
      const made: Entry[] = [];
      for (const title of typeof entries === 'number' ? numbered(entries) : entries) made.push(await enter(id, title));
      return { id, entries: made };
    },

    /** The tokens that were used on the current UTC day. */
    async tokensOfDay(): Promise<number> {
      const day = world.at().toISOString().slice(0, 10);
      const [row] = await db<{ tokens: number }[]>`select tokens_used as tokens from ai_days where day = ${day}`;
      return row?.tokens ?? 0;
    },

    /** Runs rounds, with all pauses, until judging ends. */
    async judgeToTheEnd(projectId: string): Promise<number> {
      for (let rounds = 1; rounds <= 30; rounds += 1) {
        await judge(projectId);
        const state = await stateOf(projectId);
        if (state === 'scored' || state === 'impossible') return rounds;
        world.advance(121 * MINUTE);
      }
      return assert.fail('never decided');
    },

    /** The entries without a score, with their reasons. */
    async unscorableOf(projectId: string): Promise<{ id: string; reason: string }[]> {
      const rows = await db<{ id: string; reason: string }[]>`
        select submission_id as id, unscorable as reason from ai_scores
        where project_id = ${projectId} and unscorable is not null order by submission_id`;
      return rows.map((row) => ({ ...row }));
    },

    async assertUnscored(projectId: string): Promise<void> {
      for (const entry of await scoresOf(projectId))
        assert.deepEqual(entry, { score: null, feedback: null, source: null });
      assert.equal(await stateOf(projectId), 'impossible');
    },
  };
}

/** Returns the JSON between the two delimiter lines. */
export function dataOf({ body }: AiRequest): { brief: Record<string, unknown>; entry: Record<string, unknown> } {
  const text = body.messages[1].content[0]?.text ?? '';
  const [, , data] = /^Between the two lines (DATA-[0-9a-f]{24}) is data[^\n]+\n\1\n([^\n]+)\n\1$/.exec(text) ?? [];
  return JSON.parse(data ?? '') as ReturnType<typeof dataOf>;
}

export function titleOf(request: AiRequest): string {
  return String(dataOf(request).entry['title']);
}
