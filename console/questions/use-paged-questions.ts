import { useInfiniteQuery } from '@tanstack/react-query';

/** Each page costs one request, so only short lists refresh by themselves. */
const LIVE_PAGES = 2;

type Page<Question> = { questions: Question[]; next_cursor: string | null };

/** Fetches the questions of one list, page by page, and refetches short lists every `everyMs`. */
export function usePagedQuestions<Question, Data extends Page<Question>>(
  queryKey: string[],
  read: (cursor: string, signal: AbortSignal) => Promise<Data & Page<Question>>,
  everyMs: number | false,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => {
      const isLong = (state.data?.pages.length ?? 0) > LIVE_PAGES;
      return isLong || everyMs === false ? false : state.error ? everyMs * 2 : everyMs;
    },
  });
  return { query, first: query.data?.pages[0], questions: query.data?.pages.flatMap((page) => page.questions) ?? [] };
}
