import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Column } from '../../components/data/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { RelativeTime } from '../../components/values/public.ts';
import { agent, keys } from '../../messages/public.ts';
import { Attempts, type Delivery, DeliveryState, notify, PagedTable, SentRequest } from '../../signed-in/public.ts';
import { agentStore, useApiPages, useMay, useRefresh } from '../area/public.ts';
import classes from './webhook-page.module.css';

const text = agent.webhook;
const EVERY_MS = 10_000;

export function Deliveries() {
  const query = useApiPages(
    'GET /agents/webhooks/projects/deliveries',
    { query: { limit: 20 } },
    {
      next: (page) => page.next_cursor,
      everyMs: EVERY_MS,
    },
  );
  return (
    <PagedTable
      query={query}
      empty={text.empty}
      caption={text.deliveries}
      columns={columns}
      rows={query.data?.pages.flatMap(({ deliveries }) => deliveries) ?? []}
      rowKey={({ id }) => id}
    />
  );
}

const columns: Column<Delivery>[] = [
  {
    key: 'project',
    label: text.columns.project,
    cell: ({ event, project_id: projectId, project_title: title }) =>
      projectId === null ? (
        event
      ) : (
        <Link to="/projects/$projectId" params={{ projectId }}>
          {title}
        </Link>
      ),
  },
  { key: 'state', label: text.columns.state, cell: ({ state }) => <DeliveryState state={state} /> },
  { key: 'created', label: text.columns.created, cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  {
    key: 'attempts',
    label: text.columns.attempts,
    cell: ({ id, event, project_title: title, attempts }) => (
      <>
        <Attempts of={attempts} />
        <SentRequest
          path={`/agents/webhooks/projects/deliveries/${id}`}
          what={title ?? event}
          read={async () => await readRequest(id)}
        />
      </>
    ),
  },
  {
    key: 'next',
    label: text.columns.next,
    cell: ({ next_attempt_at: at }) => (at === null ? '–' : <RelativeTime at={at} isDue />),
  },
  { key: 'replay', label: keys.columns.action, acts: true, cell: (delivery) => <Replay delivery={delivery} /> },
];

async function readRequest(id: string) {
  const path = 'GET /agents/webhooks/projects/deliveries/{delivery_id}';
  return (await agentStore.api.call(path, { params: { delivery_id: id } })).request;
}

function Replay({ delivery: { id, state, event, project_title: title } }: { delivery: Delivery }) {
  const refresh = useRefresh();
  const mayChange = useMay('owner');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (state === 'pending') return null;

  async function replay() {
    setBusy(true);
    setFailure(null);
    try {
      const path = 'POST /agents/webhooks/projects/deliveries/{delivery_id}/replay';
      await agentStore.api.call(path, { params: { delivery_id: id } });
      notify(text.replayed);
      await refresh();
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={busy}
        disabled={!mayChange}
        onClick={() => void replay()}
        aria-label={text.replayOf({ project: title ?? event })}
      >
        {text.replay}
      </Button>
      {failure ? (
        <p role="alert" className={classes.bad}>
          {failure}
        </p>
      ) : null}
    </>
  );
}
