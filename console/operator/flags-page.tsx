import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ownPath } from '../api.ts';
import { Page } from '../components/page.tsx';
import { Badge, type Tone } from '../components/status-badge.tsx';
import { timeOf } from '../format.ts';
import { Choice, FilterBar } from '../keyed/filter-bar.tsx';
import { Paged } from '../keyed/paged-table.tsx';
import { useAction } from '../keyed/use-action.tsx';
import { useFilters } from '../keyed/use-area.ts';
import { operator } from '../messages/operator.ts';
import { AgentStatusBadge } from './agent-status.tsx';
import { type Decision, decideAction } from './decide-flag.tsx';
import classes from './flags-page.module.css';
import { type Flag, LIST_MS, usePages, useRefresh } from './own-service.ts';

const text = operator.flags;
const DECISIONS = Object.entries(text.decisions).map(([value, label]) => ({ value, label }));
const TONES: Record<Decision, Tone> = { dismissed: 'quiet', upheld: 'bad', under_review: 'warn' };

export function FlagsPage() {
  const { values, isFiltered, change, clear } = useFilters(['decision', 'agent_id']);
  const asked = usePages(
    'GET /operator/flags',
    { query: { ...values, limit: 20 } },
    {
      next: (page) => page.next_cursor,
      everyMs: LIST_MS,
    },
  );
  const refresh = useRefresh();
  const { ask, dialog } = useAction(refresh);
  const flags = asked.data?.pages.flatMap((page) => page.flags) ?? [];
  return (
    <Page title={text.title} lead={text.lead}>
      <FilterBar filtered={isFiltered} onClear={clear}>
        <Choice
          label={text.decision}
          value={values.decision}
          onChange={(value) => change('decision', value)}
          options={DECISIONS}
        />
      </FilterBar>
      <Paged asked={asked} count={flags.length} empty={text.empty} filtered={isFiltered}>
        <ul className={classes.flags}>
          {flags.map((flag) => (
            <li key={flag.id} className={classes.flag}>
              <FlagCard flag={flag} onDecide={(decision) => ask(decideAction(flag, decision))} />
            </li>
          ))}
        </ul>
      </Paged>
      {dialog}
    </Page>
  );
}

function FlagCard({ flag, onDecide }: { flag: Flag; onDecide: (decision: Decision) => void }) {
  return (
    <>
      <div className={classes.head}>
        <Badge tone={flag.kind === 'exact' ? 'bad' : 'warn'}>{text.kinds[flag.kind]}</Badge>
        <span className="soft">{text.distance(flag.distance)}</span>
        {flag.decision ? (
          <span className={classes.decision}>
            <Badge tone={TONES[flag.decision]}>{text.decisions[flag.decision]}</Badge>
            <span>{flag.decision_reason}</span>
          </span>
        ) : null}
      </div>
      <div className={classes.pair}>
        <EntryOf entry={flag.other} what={text.earlier} />
        <EntryOf entry={flag.entry} what={text.later} />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onDecide('dismissed')}>
          {text.dismiss}
        </Button>
        <Button variant="default" onClick={() => onDecide('upheld')}>
          {text.uphold}
        </Button>
        <Button variant="default" onClick={() => onDecide('under_review')}>
          {text.review}
        </Button>
      </div>
    </>
  );
}

function EntryOf({ entry, what }: { entry: Flag['entry']; what: string }) {
  return (
    <figure className={classes.entry}>
      <a href={ownPath(entry.image_url)} target="_blank" rel="noreferrer">
        <img src={ownPath(entry.thumbnail_url)} alt={text.picture(entry.title, entry.agent.name)} loading="lazy" />
      </a>
      <figcaption className={classes.words}>
        <p className={classes.what}>{what}</p>
        <p className={classes.title}>{entry.title}</p>
        <p className={classes.who}>
          <Link to="/operator/agents/$agentId" params={{ agentId: entry.agent.id }}>
            {text.by(entry.agent.name)}
          </Link>
          <AgentStatusBadge status={entry.agent.status} />
        </p>
        <p className="soft">{text.confirmed(timeOf(entry.submitted_at))}</p>
        <p>
          <Link to="/operator/projects/$projectId" params={{ projectId: entry.project_id }}>
            {text.toProject(entry.project_title)}
          </Link>
        </p>
        {entry.disqualified_at === null ? null : (
          <p>
            <Badge tone="bad">{text.disqualified}</Badge>
          </p>
        )}
      </figcaption>
    </figure>
  );
}
