import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { type ApiData, apiPages, apiQuery } from '../api/public.ts';
import { EmptyState, ErrorState, Loading, MoreButton, Page, Section } from '../components/public.ts';
import { market } from '../messages/public.ts';
import { queryOf, readFilters } from './filters.ts';
import { MarketFilters } from './market-filters.tsx';
import classes from './market-page.module.css';
import { CardSkeleton, ProjectCards } from './project-card.tsx';
import { Proof } from './proof.tsx';
import { Ways } from './ways.tsx';

const EVERY_MS = 10_000;
const FIRST_SKELETONS = [1, 2, 3, 4, 5, 6];

const route = getRouteApi('/');

export function MarketPage() {
  // The search may have unknown parameters beside the known filters.
  const filters = readFilters(route.useSearch());
  const pages = apiPages('GET /projects', { query: queryOf(filters) }, { everyMs: EVERY_MS });
  // The results of other filters stay until those of the new ones come.
  const found = useInfiniteQuery({ ...pages, placeholderData: keepPreviousData });
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

type Found = UseInfiniteQueryResult<InfiniteData<ApiData<'GET /projects'>>>;

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
      <MoreButton of={found} />
    </>
  );
}

const QUERY = { status: 'completed', order_by: 'created_at', order_direction: 'desc', limit: '6' } as const;

/** The completed briefs that were published last, for a market without an open one. */
function CompletedBriefs() {
  const projects = useQuery(apiQuery('GET /projects', { query: QUERY })).data?.projects ?? [];
  if (projects.length === 0) return null;
  return (
    <>
      <h3 className="spaced">{market.completedBriefs}</h3>
      <ul className={classes.grid}>
        <ProjectCards projects={projects} eager={0} />
      </ul>
    </>
  );
}
