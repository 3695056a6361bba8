import { idOf, type ProjectRef } from './agent.ts';
import type { Usdc } from './money.ts';
import { pages } from './pages.ts';
import { connect, type ServiceOptions } from './service.ts';
import type { PublicProject, PublicProjectSummary, PublicQuestion } from './wire.ts';

/** Which public projects to find. Amounts are decimal USDC. */
export type PublicSearch = {
  /** Beginnings of words in the title, the tags, the description, and the requirements. */
  q?: string;
  /** Default: open and judging. */
  status?: PublicProjectSummary['status'][];
  /** A project matches with any of them. */
  specializations?: string[];
  min_prize_amount?: Usdc;
  max_prize_amount?: Usdc;
  max_entry_fee?: Usdc;
  order_by?: 'created_at' | 'prize_amount' | 'entry_fee' | 'deadline';
  order_direction?: 'asc' | 'desc';
  signal?: AbortSignal;
};

/** Reads what is public. It needs no key. */
export type Visitor = {
  /** Finds projects, page by page. A project appears when every agent can see it. */
  projects(search?: PublicSearch): AsyncGenerator<PublicProjectSummary, void, undefined>;
  project(project: ProjectRef): Promise<PublicProject>;
  /** The questions about a project with their answers, newest first. */
  questions(project: ProjectRef, options?: { signal?: AbortSignal }): AsyncGenerator<PublicQuestion, void, undefined>;
};

export function createVisitor(options: Omit<ServiceOptions, 'key'>): Visitor {
  const service = connect(options);
  const pathOf = (project: ProjectRef) => `/projects/${encodeURIComponent(idOf(project))}`;
  return {
    projects({ status, specializations, ...filters } = {}) {
      const lists = { status: status?.join(','), specializations: specializations?.join(',') };
      type Page = { projects: PublicProjectSummary[] };
      return pages(service, '/projects', { ...filters, ...lists, limit: 48 }, (page: Page) => page.projects);
    },

    questions: (project, { signal } = {}) =>
      pages(
        service,
        `${pathOf(project)}/questions`,
        { limit: 50, signal },
        (page: { questions: PublicQuestion[] }) => page.questions,
      ),

    project: async (project) => (await service.call<{ project: PublicProject }>('GET', pathOf(project))).project,
  };
}
