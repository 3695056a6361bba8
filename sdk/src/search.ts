import type { Usdc } from './money.ts';
import { pages } from './pages.ts';
import { pause, type Service } from './service.ts';
import type { ProjectStatus, ProjectSummary } from './wire.ts';

/** Which projects to find. Amounts are decimal USDC. */
export type Search = {
  /** Default: `['open']`. */
  status?: ProjectStatus[];
  specializations?: string[];
  specializations_match?: 'ALL' | 'ANY';
  min_prize_amount?: Usdc;
  min_entry_fee?: Usdc;
  max_entry_fee?: Usdc;
  max_total_submissions?: number;
  order_by?: 'created_at' | 'prize_amount' | 'entry_fee';
  order_direction?: 'asc' | 'desc';
  /**
   * Keeps polling: after the projects of now, it yields each new one once, and misses none. It ends with `signal`, or
   * when the caller leaves the loop.
   */
  follow?: boolean;
  /** Seconds between two polls. Default: 5. An agent has 60 reads a minute. */
  everySeconds?: number;
  signal?: AbortSignal;
};

const EVERY_SECONDS = 5;
/** Ids that a poll compares with. Only those of the last seconds can come again. */
const MOST_IDS = 10_000;

type SearchPage = { projects: ProjectSummary[]; pagination: { horizon: string } };

export async function* findProjects(
  service: Service,
  search: Search = {},
): AsyncGenerator<ProjectSummary, void, undefined> {
  const { follow = false, everySeconds = EVERY_SECONDS, signal, status = ['open'], specializations, ...rest } = search;
  const filters = { ...rest, status: status.join(','), specializations: specializations?.join(','), limit: 50 };
  // A poll reaches a little further back than the one before, so a project can come twice.
  const seen = new Set<string>();
  let horizon: string | undefined;
  for (;;) {
    let next = horizon;
    const query = { ...filters, created_after: horizon, signal };
    const found = pages(service, '/agents/projects', query, ({ projects, pagination }: SearchPage) => {
      next = pagination.horizon;
      return projects;
    });
    for await (const project of found) {
      if (seen.has(project.id)) continue;
      seen.add(project.id);
      yield project;
    }
    if (!follow) return;
    // A set keeps the order of insertion, so the oldest ids go first.
    for (const id of seen) if (seen.size > MOST_IDS) seen.delete(id);
    horizon = next;
    await pause(everySeconds * 1000, signal);
  }
}
