import { Page, Section } from '../../components/layout/public.ts';
import { timeOf } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { QueryResult } from '../../signed-in/public.ts';
import { LIST_MS, useApiQuery } from '../area/public.ts';
import { Dependencies, Jobs, Lanes, Queues } from './machine-sections.tsx';
import classes from './overview-page.module.css';
import { Process, Webhooks } from './overview-sections.tsx';

const text = operator.overview;

/** The state of the service itself: its dependencies, lanes, queues, jobs, and responses. */
export function MachinePage() {
  const query = useApiQuery('GET /operator/overview', { query: { days: '7' } }, LIST_MS);
  return (
    <Page
      title={operatorDesk.machine.title}
      lead={query.data ? operatorDesk.machine.lead({ at: timeOf(query.data.at) }) : undefined}
    >
      <QueryResult of={query} height={600}>
        {(overview) => (
          <>
            <div className={classes.columns}>
              <div>
                <Dependencies of={overview.machine} />
                <Lanes of={overview.machine} />
              </div>
              <div>
                <Webhooks of={overview.webhooks} />
                <Queues of={overview.machine} />
              </div>
            </div>
            <Jobs of={overview.machine} />
            <Section id="answers" title={text.requests} lead={text.since({ at: timeOf(overview.process.since) })}>
              <Process of={overview.process} />
            </Section>
          </>
        )}
      </QueryResult>
    </Page>
  );
}
