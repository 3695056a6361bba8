import type { Request, Service } from './service.ts';

/** Where the lists of the service say the cursor of the page after this one. */
type Paged = { next_cursor?: string | null; pagination?: { next_cursor?: string | null; nextCursor?: string | null } };

/** Yields the rows of all pages of a list. It reads a page when the caller has used up the one before. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each list has a page of its own type
export async function* pages<Page, Row>(
  service: Service,
  path: string,
  { signal, ...filters }: { signal?: AbortSignal | undefined; limit: number },
  rowsOf: (page: Page) => Row[],
): AsyncGenerator<Row, void, undefined> {
  const query: Request['query'] = filters;
  let cursor: string | undefined;
  do {
    const page = await service.call<Page & Paged>('GET', path, { query: { ...query, cursor }, signal });
    yield* rowsOf(page);
    cursor = page.next_cursor ?? page.pagination?.next_cursor ?? page.pagination?.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
