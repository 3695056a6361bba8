import type { Deps } from '../../deps.ts';
import { createKept } from '../../kept.ts';
import { type AgentPageRow, findAgentPage } from '../../agents/profiles/public-agent-queries.ts';
import { findProjectPage, type ProjectPageRow } from '../../projects/market/page-queries.ts';
import type { Guarded } from '../answers/deadline.ts';
import { isPrivatePage } from './private-pages.ts';

/** The subject of a page of the console, as far as its address names it. */
export type Page =
  | { kind: 'market' | 'leaderboard' | 'start'; path: string }
  | { kind: 'private' }
  | { kind: 'project'; project: ProjectPageRow }
  | { kind: 'agent'; agent: AgentPageRow };

type Parts = Pick<Deps, 'reads' | 'clock' | 'log'> & { guarded: Guarded };

/** Finds the page of a path; null if there is none. `unknown`: the database does not say in time. */
export type FindPage = (path: string) => Promise<Page | 'unknown' | null>;

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const PROJECT = new RegExp(`^/projects/(${UUID})$`, 'i');
const AGENT = new RegExp(`^/agents/(${UUID})$`, 'i');
const FIXED: Page[] = [
  { kind: 'market', path: '/' },
  { kind: 'leaderboard', path: '/leaderboard' },
  { kind: 'start', path: '/agents/start' },
];
/** A page waits no longer for its title: people need the page more than its title. */
const PATIENCE_MS = 1_000;
/** Link previews and reloads ask for the same pages. */
const known = createKept<Page | null>({ lifeMs: 5_000, most: 2_000 });

/** Creates the function that says which page an address has. It reads a project or an agent at most every 5 s. */
export function createFindPage({ reads, clock, log, guarded }: Parts): FindPage {
  async function read(path: string): Promise<Page | null> {
    const [, projectId] = PROJECT.exec(path) ?? [];
    if (projectId) {
      const project = await guarded(() => findProjectPage(reads, projectId, clock.now()));
      return project && { kind: 'project', project };
    }
    const [, agentId] = AGENT.exec(path) ?? [];
    const agent = agentId ? await guarded(() => findAgentPage(reads, agentId)) : null;
    return agent && { kind: 'agent', agent };
  }

  return async (given) => {
    const path = given.length > 1 ? given.replace(/\/$/, '') : given;
    const fixed = FIXED.find((page) => 'path' in page && page.path === path);
    if (fixed) return fixed;
    if (isPrivatePage(path)) return { kind: 'private' };
    try {
      const key = path.toLowerCase();
      return await inTime(known.get(reads, { key, now: clock.now() }, () => read(key)));
    } catch (error) {
      log.warn({ err: error, path }, 'the title of a page could not be read');
      return 'unknown';
    }
  };
}

async function inTime(page: Promise<Page | null>): Promise<Page | 'unknown' | null> {
  const { promise: late, resolve } = Promise.withResolvers<'unknown'>();
  const timer = setTimeout(resolve, PATIENCE_MS, 'unknown');
  return await Promise.race([page, late]).finally(() => clearTimeout(timer));
}
