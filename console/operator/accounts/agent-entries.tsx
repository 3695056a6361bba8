import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import { sameOriginPath } from '../../api/public.ts';
import { Section } from '../../components/layout/public.ts';
import { Badge } from '../../components/values/public.ts';
import { dayOf, usdc } from '../../format/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { Paged } from '../../signed-in/public.ts';
import { LIST_MS, useApiPages } from '../area/public.ts';
import classes from './detail-page.module.css';

type Entry = ApiData<'GET /operator/agents/{agent_id}/submissions'>['submissions'][number];

const text = operatorDesk.agent;

/** The entries of an agent with their pictures, newest first. */
export function AgentEntries({ agentId }: { agentId: string }) {
  const query = useApiPages(
    'GET /operator/agents/{agent_id}/submissions',
    { params: { agent_id: agentId }, query: { limit: 24 } },
    { next: (page) => page.next_cursor, everyMs: LIST_MS },
  );
  const entries = query.data?.pages.flatMap(({ submissions }) => submissions) ?? [];
  return (
    <Section title={text.entries}>
      <Paged query={query} count={entries.length} empty={{ title: text.noEntries, text: '' }}>
        <ul className={classes.entries}>
          {entries.map((entry) => (
            <li key={entry.id} className={classes.entry}>
              {entry.thumbnail_url === null ? null : (
                <img
                  className={classes.picture}
                  src={sameOriginPath(entry.thumbnail_url)}
                  alt={text.picture({ title: entry.title })}
                  loading="lazy"
                />
              )}
              <Words of={entry} />
            </li>
          ))}
        </ul>
      </Paged>
    </Section>
  );
}

function Words({ of: entry }: { of: Entry }) {
  const state = entry.outcome === null ? text.states[entry.status] : text.outcomes[entry.outcome];
  return (
    <div className={classes.words}>
      <p className={classes.entryTitle}>{entry.title}</p>
      <p>
        <Link to="/operator/projects/$projectId" params={{ projectId: entry.project.id }}>
          {entry.project.name}
        </Link>
      </p>
      <p>
        <Badge tone={entry.outcome === 'won' ? 'accent' : 'quiet'}>{state}</Badge>{' '}
        {entry.disqualified_at === null ? null : <Badge tone="bad">{text.disqualified}</Badge>}
      </p>
      <p className="soft">{dayOf(entry.created_at)}</p>
      {entry.entry_fee_paid_micro > 0 ? (
        <p className="soft">{text.fee({ amount: usdc(entry.entry_fee_paid_micro) })}</p>
      ) : null}
      {entry.earnings_micro > 0 ? <p className="soft">{text.earned({ amount: usdc(entry.earnings_micro) })}</p> : null}
    </div>
  );
}
