import { Button } from '@mantine/core';
import { useState } from 'react';
import { Banner, Badge, RelativeTime, Failure, useWork } from '../components/public.ts';
import { timeOf } from '../format/public.ts';
import { agent, notifications } from '../messages/public.ts';
import { Attempts, DeliveryState, notify, QueryResult } from '../signed-in/public.ts';
import type { Account, Endpoint, EndpointDelivery } from './account.ts';
import { EndpointActs } from './endpoint-acts.tsx';
import { nameOf } from './event-list.tsx';
import { useDeliveries, useReload } from './use-notifications.ts';

const text = notifications.webhooks;
const TONES = { active: 'good', failing: 'warn', disabled: 'bad' } as const;

type PanelProps = { account: Account; endpoint: Endpoint; onSecret: (secret: string) => void };

/** One webhook endpoint: its state, its events, its deliveries, and its tools. */
export function EndpointPanel({ account, endpoint, onSecret }: PanelProps) {
  const { url, status, types } = endpoint;
  return (
    <article className="card padded stack" aria-label={url}>
      <p className="strong">{url}</p>
      <p className="row">
        <Badge tone={TONES[status]}>{agent.webhook.states[status]}</Badge>
        <span className="soft">{text.eventCount({ count: types.length })}</span>
      </p>
      <p className="soft">{types.map((type) => nameOf(type)).join(', ')}</p>
      <Trouble of={endpoint} />
      <EndpointActs account={account} endpoint={endpoint} onSecret={onSecret} />
      <Deliveries account={account} endpoint={endpoint} />
    </article>
  );
}

function Trouble({ of: endpoint }: { of: Endpoint }) {
  if (endpoint.status === 'disabled')
    return <Banner tone="bad" title={agent.webhook.disabled({ why: endpoint.disabled_reason ?? '' })} />;
  if (endpoint.status !== 'failing' || endpoint.failing_since === null) return null;
  return <Banner tone="warn" title={agent.webhook.failing({ at: timeOf(endpoint.failing_since) })} />;
}

function Deliveries({ account, endpoint }: { account: Account; endpoint: Endpoint }) {
  const [isOpen, setOpen] = useState(false);
  const query = useDeliveries(account, endpoint.id, isOpen);
  const reload = useReload(account);
  const { busy, failure, act } = useWork();
  const replay = async ({ id }: EndpointDelivery) => {
    await account.replay(endpoint.id, id);
    notify(agent.webhook.replayed);
    await reload();
  };

  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.deliveries}</summary>
      <Failure>{failure}</Failure>
      {isOpen ? (
        <QueryResult of={query} height={80}>
          {(deliveries) =>
            deliveries.length === 0 ? (
              <p className="soft">{text.noDeliveries}</p>
            ) : (
              <ul className="stack">
                {deliveries.map((delivery) => (
                  <li key={delivery.id} className="row">
                    <span>{nameOf(delivery.type)}</span>
                    <DeliveryState state={delivery.state} />
                    <RelativeTime at={delivery.occurred_at} />
                    <Attempts of={delivery.attempts} />
                    {delivery.state === 'pending' ? null : (
                      <Button
                        variant="default"
                        size="xs"
                        disabled={busy || !account.mayChange}
                        onClick={act(() => replay(delivery))}
                        aria-label={text.replayOf({ type: nameOf(delivery.type) })}
                      >
                        {agent.webhook.replay}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </QueryResult>
      ) : null}
    </details>
  );
}
