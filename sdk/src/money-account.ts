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
  type Page = { total: MoneySums; projects: ProjectMoney[] };
  const path = '/agents/me/money';
  const { total } = await service.call<Page>('GET', path, { query: { limit: 1 }, signal });
  return { total, projects: pages(service, path, { limit: 100, signal }, (page: Page) => page.projects) };
}
