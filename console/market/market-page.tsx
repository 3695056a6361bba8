import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { api, ApiError } from '../api/public.ts';
import { PlainButton, EmptyState, ErrorState, Loading, Page, Section } from '../components/public.ts';
import { market, messages } from '../messages/public.ts';
import { CompletedBriefs } from './completed-briefs.tsx';
import { queryOf, readFilters } from './filters.ts';
import { MarketFilters } from './market-filters.tsx';
import classes from './market-page.module.css';
import { CardSkeleton, ProjectCards } from './project-card.tsx';
import { Proof } from './proof.tsx';
import { Ways } from './ways.tsx';

const EVERY_MS = 10_000;
// Each page costs one request per refresh, so only lists of at most 2 pages refresh automatically.
const LIVE_PAGES = 2;
const FIRST_SKELETONS = [1, 2, 3, 4, 5, 6];

const route = getRouteApi('/');

export function MarketPage() {
  // The search may have unknown parameters beside the known filters.
  const filters = readFilters(route.useSearch());
  const query = queryOf(filters);
  const found = useInfiniteQuery({
    queryKey: ['GET /projects', query],
    queryFn: ({ pageParam, signal }) =>
      api.call('GET /projects', { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    // Keep showing the previous results while the next ones load.
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => {
      if ((state.data?.pages.length ?? 0) > LIVE_PAGES) return false;
      return state.error instanceof ApiError ? Math.max(EVERY_MS * 2, (state.error.retryAfter ?? 0) * 1000) : EVERY_MS;
    },
  });
  return (
    <Page title={market.title} lead={market.lead}>
      <Ways />
      <Proof />
      <Section id="briefs" title={market.briefs}>
        <MarketFilters filters={filters} />
        <Results found={found} filtered={Object.keys(filters).length > 0} />
      </Section>
    </Page>
  );
}

function Results({ found, filtered }: { found: Found; filtered: boolean }) {
  if (found.isPending) {
    return (
      <Loading>
        <div className={classes.grid}>
          {FIRST_SKELETONS.map((each) => (
            <CardSkeleton key={each} />
          ))}
        </div>
      </Loading>
    );
  }
  if (!found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  const projects = found.data.pages.flatMap((page) => page.projects);
  if (projects.length === 0) {
    return filtered ? (
      <EmptyState icon={<SearchX size={32} aria-hidden="true" />} {...market.empty} />
    ) : (
      <>
        <EmptyState {...market.noneOpen} />
        <CompletedBriefs />
      </>
    );
  }
  return (
    <>
      <p className="soft small" role="status">
        {market.results({ shown: projects.length, more: String(found.hasNextPage) })}
      </p>
      <ul className={`waiting ${classes.grid}`} aria-busy={found.isPlaceholderData}>
        <ProjectCards projects={projects} eager={3} />
      </ul>
      {found.hasNextPage ? (
        <div className="centered">
          <PlainButton busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {messages.more}
          </PlainButton>
        </div>
      ) : null}
    </>
  );
}

type Market = Awaited<ReturnType<typeof api.call<'GET /projects'>>>;
type Found = {
  isPending: boolean;
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  error: unknown;
  data: { pages: Market[] } | undefined;
  refetch: () => Promise<unknown>;
  fetchNextPage: () => Promise<unknown>;
};
