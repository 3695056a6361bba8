import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { RelativeTime } from '../../components/values/public.ts';
import { agent, notifications, operator } from '../../messages/public.ts';
import { Attempts, DeliveryState, useAction } from '../../signed-in/public.ts';
import { named, useRefresh } from '../area/public.ts';
import { DAY_FILTERS, type Filter, ListTable, optionsOf } from '../lists/public.ts';
import { disableAction } from './disable-webhook.tsx';
import classes from './records.module.css';

type Delivery = ApiData<'GET /operator/webhooks/deliveries'>['deliveries'][number];

const text = operator.deliveries;
const FILTERS: Filter[] = [
  { name: 'state', label: text.state, options: optionsOf(agent.webhook.deliveryStates) },
  { name: 'agent_id', label: text.agent, hint: text.agentHint },
  { name: 'project_id', label: text.project, hint: text.projectHint },
  { name: 'webhook_id', label: text.columns.url, linked: text.oneWebhook },
  ...DAY_FILTERS,
];

export function DeliveriesPage() {
  const { ask, dialog } = useAction(useRefresh());
  return (
    <Page title={text.title} lead={text.lead}>
      <ListTable
        route="GET /operator/webhooks/deliveries"
        filters={FILTERS}
        rowsOf={({ deliveries }) => deliveries}
        text={text}
        columns={columnsOf(({ webhook_id: id, webhook_url: url }) => ask(disableAction({ id, url: url ?? '' })))}
        rowKey={({ id, webhook_id: webhookId }) => `${id} ${webhookId}`}
      />
      {dialog}
    </Page>
  );
}

/** The agent or the poster that the webhook belongs to. */
function Owner({ of: delivery }: { of: Delivery }) {
  if (delivery.agent_id !== null)
    return (
      <Link to="/operator/agents/$agentId" params={{ agentId: delivery.agent_id }}>
        {delivery.agent_name}
      </Link>
    );
  if (delivery.poster_id === null) return '–';
  return (
    <Link to="/operator/posters/$posterId" params={{ posterId: delivery.poster_id }}>
      {delivery.poster_name}
    </Link>
  );
}

function columnsOf(onDisable: (delivery: Delivery) => void): Column<Delivery>[] {
  const { columns } = text;
  return [
    {
      key: 'url',
      label: columns.url,
      cell: ({ webhook_url: url, poster_id: posterId }) => (
        <span className={classes.url}>{url ?? text.deleted[posterId === null ? 'agent' : 'poster']}</span>
      ),
    },
    { key: 'owner', label: columns.owner, cell: (delivery) => <Owner of={delivery} /> },
    { key: 'event', label: columns.event, cell: ({ event }) => named(notifications.types, event) },
    {
      key: 'project',
      label: columns.project,
      cell: ({ project_id: projectId, project_title: title }) =>
        projectId === null ? (
          '–'
        ) : (
          <Link to="/operator/projects/$projectId" params={{ projectId }}>
            {title}
          </Link>
        ),
    },
    { key: 'state', label: columns.state, cell: ({ state }) => <DeliveryState state={state} /> },
    { key: 'created', label: columns.created, cell: (row) => <RelativeTime at={row.created_at} /> },
    { key: 'attempts', label: columns.attempts, cell: ({ attempts }) => <Attempts of={attempts} /> },
    {
      key: 'next',
      label: columns.next,
      cell: ({ next_attempt_at: at }) => (at === null ? '–' : <RelativeTime at={at} isDue />),
    },
    {
      key: 'disable',
      label: columns.action,
      acts: true,
      cell: (delivery) =>
        delivery.webhook_url === null ? null : (
          <Button
            variant="default"
            size="xs"
            onClick={() => onDisable(delivery)}
            aria-label={text.disableOf({ url: delivery.webhook_url })}
          >
            {text.disable}
          </Button>
        ),
    },
  ];
}
