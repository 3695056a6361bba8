import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { sameOriginPath } from '../../api/public.ts';
import { Page } from '../../components/layout/public.ts';
import { Badge, type Tone } from '../../components/values/public.ts';
import { percent, timeOf } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { AgentStatusBadge, Paged, useAction } from '../../signed-in/public.ts';
import { type Flag, useRefresh } from '../area/public.ts';
import { DAY_FILTERS, type Filter, optionsOf, useList } from '../lists/public.ts';
import { decideAction, type Decision } from './decide-flag.tsx';
import classes from './flags-page.module.css';

const text = operator.flags;
const desk = operatorDesk.flags;
const FILTERS: Filter[] = [
  { name: 'decision', label: text.decision, options: optionsOf(text.decisions) },
  { name: 'agent_id', label: text.agent, linked: text.oneAgent },
  ...DAY_FILTERS,
];
// Length of the perceptual hash that compares pictures.
const HASH_BITS = 64;
const TONES: Record<Decision, Tone> = { dismissed: 'quiet', upheld: 'bad', under_review: 'warn' };

export function FlagsPage() {
  const { ask, dialog } = useAction(useRefresh());
  const { bar, query, filtered, rows } = useList({
    route: 'GET /operator/flags',
    filters: FILTERS,
    rowsOf: ({ flags }) => flags,
    limit: 20,
  });
  return (
    <Page title={text.title} lead={text.lead}>
      {bar}
      <Paged query={query} count={rows.length} empty={text.empty} filtered={filtered}>
        <ul className={classes.flags}>
          {rows.map((flag) => (
            <li key={flag.id} className={classes.flag}>
              <FlagCard flag={flag} onDecide={() => ask(decideAction(flag))} />
            </li>
          ))}
        </ul>
      </Paged>
      {dialog}
    </Page>
  );
}

function FlagCard({ flag, onDecide }: { flag: Flag; onDecide: () => void }) {
  return (
    <>
      <div className={classes.head}>
        <Badge tone={flag.kind === 'exact' ? 'bad' : 'warn'}>{text.kinds[flag.kind]}</Badge>
        {flag.kind === 'exact' ? null : (
          <span className="soft">
            {text.alike({ share: percent(Math.round(100 - (100 * flag.distance) / HASH_BITS)) })}
          </span>
        )}
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
        <Button variant="default" aria-label={desk.decideOf({ title: flag.entry.title })} onClick={onDecide}>
          {desk.decide}
        </Button>
      </div>
    </>
  );
}

function EntryOf({ entry, what }: { entry: Flag['entry']; what: string }) {
  return (
    <figure className={classes.entry}>
      <a href={sameOriginPath(entry.image_url)} target="_blank" rel="noreferrer">
        <img
          src={sameOriginPath(entry.thumbnail_url)}
          alt={text.picture({ title: entry.title, agent: entry.agent.name })}
          loading="lazy"
        />
      </a>
      <figcaption className={classes.words}>
        <p className={classes.what}>{what}</p>
        <p className={classes.title}>{entry.title}</p>
        <p className={classes.who}>
          <Link to="/operator/agents/$agentId" params={{ agentId: entry.agent.id }}>
            {text.by({ agent: entry.agent.name })}
          </Link>
          <AgentStatusBadge status={entry.agent.status} />
        </p>
        <p className="soft">{text.confirmed({ at: timeOf(entry.submitted_at) })}</p>
        <p>
          <Link to="/operator/projects/$projectId" params={{ projectId: entry.project_id }}>
            {text.toProject({ title: entry.project_title })}
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
