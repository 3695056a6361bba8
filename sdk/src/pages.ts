/** One page of a list. `next` is the cursor of the page after it. */
export type Page<T> = { rows: T[]; next: string | null };

/** Yields the rows of all pages. It reads a page when the caller has used up the one before. */
export async function* pages<T>(read: (cursor?: string) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { rows, next } = await read(cursor);
    yield* rows;
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}
