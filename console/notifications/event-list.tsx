import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { DataTable, EmptyState, Money, column, time } from '../components/public.ts';
import { dayOf, shortHash, timeOf } from '../format/public.ts';
import { agent, notifications } from '../messages/public.ts';
import { QueryResult } from '../signed-in/public.ts';
import type { Account, LoggedEvent } from './account.ts';
import { useEventLog, usePart } from './use-notifications.ts';

const text = notifications.activity;
const STEP = 10;

export function EventList({ account }: { account: Account }) {
  const query = useEventLog(account);
  // Without the titles, the links have the same name for every project.
  const { data: titles } = usePart(account, 'titles', account.titles);
  const [shown, setShown] = useState(STEP);
  return (
    <QueryResult of={query}>
      {({ events, truncated }) => {
        const groups = groupsOf(events);
        return groups.length === 0 ? (
          <EmptyState {...text.empty} icon={<BellOff size={32} aria-hidden="true" />} />
        ) : (
          <>
            <DataTable
              caption={text.title}
              rows={groups.slice(0, shown)}
              rowKey={({ id }) => id}
              columns={[
                column(text.columns.event, ({ type, count }: EventGroup) =>
                  count === 1
                    ? nameOf(type)
                    : type === 'ENTRY.CONFIRMED'
                      ? text.newEntries({ count })
                      : text.several({ name: nameOf(type), count }),
                ),
                column(text.columns.details, (event: EventGroup) => (
                  <Details of={event} kind={account.kind} titles={titles} />
                )),
                time(text.columns.when, ({ occurred_at: at }: EventGroup) => at),
              ]}
            />
            {groups.length > shown ? (
              <p className="centered">
                <Button variant="default" onClick={() => setShown(shown + 5 * STEP)}>
                  {text.more}
                </Button>
              </p>
            ) : null}
            {truncated && groups.length <= shown ? <p className="soft">{text.truncated}</p> : null}
          </>
        );
      }}
    </QueryResult>
  );
}

type EventGroup = LoggedEvent & { count: number };

/** Joins the events of one day that have the same type and the same brief. The newest one stands for its group. */
function groupsOf(events: LoggedEvent[]): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const event of events) {
    const { type, occurred_at: at, data } = event;
    // Events without a brief have facts of their own.
    const subject = typeof data['project_id'] === 'string' ? data['project_id'] : event.id;
    const name = `${type} ${subject} ${dayOf(at)}`;
    const group = groups.get(name);
    // A group has no facts but its brief.
    if (group) groups.set(name, { ...group, count: group.count + 1, data: { project_id: subject } });
    else groups.set(name, { ...event, count: 1 });
  }
  return [...groups.values()];
}

/** Returns the name of a type for people. */
export function nameOf(type: string): string {
  const types: Readonly<Record<string, string>> = notifications.types;
  return types[type] ?? type;
}

/** Returns the name of a tier or status for people. The state of a wallet has none: the event says it. */
function nameIn(names: Readonly<Record<string, string>>, code: string | null): string | null {
  return code === null ? null : (names[code] ?? null);
}

/** Reasons that are a code; the event's name says enough. */
const isCode = (reason: unknown) => reason === 'no_winner' || reason === 'silence';

type DetailsProps = { of: LoggedEvent; kind: Account['kind']; titles: ReadonlyMap<string, string> | undefined };

/** The amount, reason, or time of an event, and a link to its brief. Reasons and titles are the text of others. */
function Details({ of: { data }, kind, titles }: DetailsProps) {
  const words = (name: string) => (typeof data[name] === 'string' ? data[name] : null);
  const number = (name: string) => (typeof data[name] === 'number' ? data[name] : null);
  const projectId = words('project_id');
  const amount = number('amount_micro');
  const hours = number('hours_left');
  const entries = number('total_submissions');
  const submissionId = words('submission_id');
  const address = words('address');
  const effectiveAt = words('effective_at');
  const facts = [
    words('name'),
    nameIn(agent.tiers, words('tier')) ?? nameIn(agent.statuses, words('status')),
    hours === null ? null : text.hours({ hours }),
    entries === null ? null : text.entries({ count: entries }),
    address === null ? null : shortHash(address),
    effectiveAt === null ? null : text.from({ at: timeOf(effectiveAt) }),
    words('origin'),
    isCode(data['reason']) ? null : words('reason'),
  ].filter((fact) => fact !== null);
  return (
    <span className="row">
      {amount === null ? null : <Money micro={amount} />}
      {facts.length > 0 ? <span>{facts.join(' · ')}</span> : null}
      {projectId === null ? null : (
        <Link
          to={kind === 'poster' ? '/poster/projects/$projectId' : '/projects/$projectId'}
          params={{ projectId }}
          {...(kind === 'poster' && submissionId !== null ? { search: { entry: submissionId } } : {})}
        >
          {titles?.get(projectId) ?? text.project}
        </Link>
      )}
    </span>
  );
}
