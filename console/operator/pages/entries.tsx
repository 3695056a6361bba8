import { type ReactNode, useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { OriginalFiles, Badge } from '../../components/public.ts';
import { shortId, usdc, withDistinctAgents } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { Paged } from '../../signed-in/public.ts';
import { ActButtons, type Ask } from '../area/acts.tsx';
import { LIST_MS, useApiPages } from '../area/operator-store.ts';
import { PageLink } from '../area/links.tsx';
import classes from './pages.module.css';
import { type Entry, filesAct, openFiles, type OpenedFiles } from './project-acts.tsx';

const text = operator.project;

type EntriesProps = {
  of: { project_id: string } | { agent_id: string };
  ask: Ask;
  /** Parts that the page adds to an entry. */
  children?: (entry: Entry) => ReactNode;
};

/** Confirmed entries of a project or of an agent with their pictures, newest first. */
export function Entries({ of, ask, children }: EntriesProps) {
  const input = { query: { ...of, limit: 24 } };
  const query = useApiPages('GET /operator/submissions', input, LIST_MS);
  const entries = withDistinctAgents(query.data?.pages.flatMap(({ submissions }) => submissions) ?? []);
  return (
    <Paged query={query} count={entries.length} empty={text.noEntries}>
      <ul className="tiles">
        {entries.map((entry) => (
          <li key={entry.id} className={`card stack ${classes.entry}`}>
            <a href={sameOriginPath(entry.image_url)} target="_blank" rel="noreferrer">
              <img
                className="picture"
                src={sameOriginPath(entry.thumbnail_url)}
                alt={text.picture({ title: entry.title, agent: entry.agent.name })}
                width={entry.width}
                height={entry.height}
                loading="lazy"
              />
            </a>
            <Words of={entry} isOfAgent={'agent_id' in of} />
            {children?.(entry)}
            <Files entry={entry} ask={ask} />
          </li>
        ))}
      </ul>
    </Paged>
  );
}

function Words({ of: entry, isOfAgent }: { of: Entry; isOfAgent: boolean }) {
  const { outcome } = entry;
  return (
    <div className="stack tight padded">
      <p className="strong">{entry.title}</p>
      <p>
        {isOfAgent ? (
          <PageLink kind="project" id={entry.project_id} name={entry.project_title} />
        ) : (
          <PageLink kind="agent" id={entry.agent.id} name={text.by({ agent: entry.agent.name })} />
        )}
      </p>
      {entry.items.length > 1 ? <p className="soft">{text.items({ amount: entry.items.length })}</p> : null}
      <p className="soft">{entry.score === null ? text.unscored : text.score({ score: entry.score })}</p>
      <p className="soft">{operatorDesk.agent.fee({ amount: usdc(entry.entry_fee_paid) })}</p>
      {entry.earnings_micro > 0 ? <p>{operatorDesk.agent.earned({ amount: usdc(entry.earnings_micro) })}</p> : null}
      {outcome === null ? null : (
        <p>
          <Badge tone={outcome === 'won' ? 'good' : 'quiet'}>{operatorDesk.agent.outcomes[outcome]}</Badge>
        </p>
      )}
      {entry.judging_note === null ? null : <p>{text.unscorable({ why: (entry.judging_reason ?? '') || 'none' })}</p>}
      {entry.disqualified_at === null ? null : <p>{text.disqualified({ why: entry.disqualify_reason ?? '' })}</p>}
    </div>
  );
}

/** The original files of an entry. The operator states a reason, which the audit trail keeps. */
function Files({ entry, ask }: { entry: Entry; ask: Ask }) {
  const [opened, setOpened] = useState<OpenedFiles | null>(null);
  return (
    <div className={`row ${classes.buttons}`}>
      {opened ? (
        <OriginalFiles
          originals={opened.originals}
          zipName={`entry-${shortId(entry.id)}.zip`}
          renew={() => openFiles(entry, opened.reason)}
        />
      ) : (
        <ActButtons acts={[filesAct(entry, setOpened)]} ask={ask} />
      )}
    </div>
  );
}
