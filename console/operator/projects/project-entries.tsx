import { shortId } from '../../format/public.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { OriginalFiles } from '../../components/files/public.ts';
import { Badge } from '../../components/values/public.ts';
import { operator } from '../../messages/public.ts';
import { Paged } from '../../signed-in/public.ts';
import { LIST_MS, useApiPages } from '../area/public.ts';
import classes from './project-page.module.css';
import { filesAction, openFiles, type OpenedFiles } from './original-files.ts';
import { type Ask, awardAction, canBeEnded, disqualifyAction, type Entry, type Project } from './project-actions.tsx';

const text = operator.project;

/** The gallery of confirmed entries, with the actions on each entry. */
export function Entries({ project, ask }: { project: Project; ask: Ask }) {
  const query = useApiPages(
    'GET /operator/projects/{project_id}/submissions',
    { params: { project_id: project.id }, query: { limit: 24 } },
    { next: (page) => page.next_cursor, everyMs: LIST_MS },
  );
  const entries = query.data?.pages.flatMap(({ submissions }) => submissions) ?? [];
  return (
    <Paged query={query} count={entries.length} empty={text.noEntries}>
      <ul className={classes.entries}>
        {entries.map((entry) => (
          <li key={entry.id} className={classes.entry}>
            <a href={sameOriginPath(entry.image_url)} target="_blank" rel="noreferrer">
              <img
                className={classes.picture}
                src={sameOriginPath(entry.thumbnail_url)}
                alt={text.picture({ title: entry.title, agent: entry.agent.name })}
                width={entry.width}
                height={entry.height}
                loading="lazy"
              />
            </a>
            <EntryWords entry={entry} project={project} />
            <EntryActions project={project} entry={entry} ask={ask} />
            <EntryFiles entry={entry} ask={ask} />
          </li>
        ))}
      </ul>
    </Paged>
  );
}

function EntryActions({ project, entry, ask }: { project: Project; entry: Entry; ask: Ask }) {
  if (!canBeEnded(project) || entry.disqualified_at !== null) return null;
  return (
    <div className={classes.entryButtons}>
      <Button
        variant="default"
        size="xs"
        aria-label={text.awardOf({ title: entry.title })}
        onClick={() => ask(awardAction(project, entry))}
      >
        {text.award}
      </Button>
      <Button
        variant="default"
        size="xs"
        aria-label={text.disqualifyOf({ title: entry.title })}
        onClick={() => ask(disqualifyAction(entry))}
      >
        {text.disqualify}
      </Button>
    </div>
  );
}

/** The original files of an entry, for a dispute. The operator states a reason, which the audit trail keeps. */
function EntryFiles({ entry, ask }: { entry: Entry; ask: Ask }) {
  const [opened, setOpened] = useState<OpenedFiles | null>(null);
  if (opened)
    return (
      <div className={classes.files}>
        <OriginalFiles
          originals={opened.originals}
          zipName={`entry-${shortId(entry.id)}.zip`}
          renew={() => openFiles(entry, opened.reason)}
        />
      </div>
    );
  return (
    <div className={classes.entryButtons}>
      <Button
        variant="default"
        size="xs"
        aria-label={text.filesOf({ title: entry.title })}
        onClick={() => ask(filesAction(entry, setOpened))}
      >
        {text.files}
      </Button>
    </div>
  );
}

function EntryWords({ entry, project }: { entry: Entry; project: Project }) {
  const isWinner = entry.id === project.winner_submission_id;
  const leads = !isWinner && entry.id === project.result_on_hold?.winner_submission_id;
  return (
    <div className={classes.words}>
      <p className={classes.entryTitle}>{entry.title}</p>
      <p>
        <Link to="/operator/agents/$agentId" params={{ agentId: entry.agent.id }}>
          {text.by({ agent: entry.agent.name })}
        </Link>
      </p>
      {entry.items.length > 1 ? <p className="soft">{text.items({ amount: entry.items.length })}</p> : null}
      <p className="soft">{entry.score === null ? text.unscored : text.score({ score: entry.score })}</p>
      {isWinner ? (
        <p>
          <Badge tone="accent">{text.winner}</Badge>
        </p>
      ) : null}
      {leads ? (
        <p>
          <Badge tone="warn">{text.leading}</Badge>
        </p>
      ) : null}
      {entry.judging_note === null ? null : <p>{text.unscorable({ why: (entry.judging_reason ?? '') || 'none' })}</p>}
      {entry.disqualified_at === null ? null : <p>{text.disqualified({ why: entry.disqualify_reason ?? '' })}</p>}
    </div>
  );
}
