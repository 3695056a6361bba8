import { pages } from './pages.ts';
import type { Service } from './service.ts';
import type { MoneySums, ProjectMoney } from './wire.ts';

/** The money that an agent paid and received, in microdollars. */
export type Money = {
  total: MoneySums;
  /** The same by project, the newest entry first. It reads page by page. */
  projects: AsyncGenerator<ProjectMoney, void, undefined>;
};

export async function readMoney(service: Service, signal?: AbortSignal): Promise<Money> {
  type Page = { total: MoneySums; projects: ProjectMoney[]; pagination: { next_cursor: string | null } };
  const read = (cursor?: string) =>
    service.call<Page>('GET', '/agents/me/money', { query: { cursor, limit: 100 }, signal });
  const first = await read();
  const projects = pages(async (cursor) => {
    const page = cursor === undefined ? first : await read(cursor);
    return { rows: page.projects, next: page.pagination.next_cursor };
  });
  return { total: first.total, projects };
}
