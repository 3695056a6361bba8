import { Button } from '@mantine/core';
import { useState } from 'react';
import { Badge, Banner, Failure, RelativeTime, useWork } from '../components/public.ts';
import { timeOf } from '../format/public.ts';
import { agent, notifications } from '../messages/public.ts';
import {
  type Action,
  Attempts,
  DeliveryState,
  notify,
  QueryResult,
  testResultOf,
  useAction,
} from '../signed-in/public.ts';
import type { Account, Endpoint, EndpointDelivery } from './account.ts';
import { nameOf } from './event-list.tsx';
import { usePart, useReload } from './use-notifications.ts';
import { EndpointForm } from './endpoint-form.tsx';

const text = notifications.webhooks;
const DELIVERIES_MS = 10_000;
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

function Deliveries({ account, endpoint }: OneProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.deliveries}</summary>
      {isOpen ? <DeliveryList account={account} endpoint={endpoint} /> : null}
    </details>
  );
}

function DeliveryList({ account, endpoint: { id: endpointId } }: OneProps) {
  const part = `deliveries ${endpointId}`;
  const query = usePart(account, part, () => account.deliveries(endpointId), DELIVERIES_MS);
  const reload = useReload(account);
  const { busy, failure, act } = useWork();
  const replay = async ({ id }: EndpointDelivery) => {
    await account.replay(endpointId, id);
    notify(agent.webhook.replayed);
    await reload();
  };
  return (
    <>
      <Failure>{failure}</Failure>
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
    </>
  );
}

/** The acts on an endpoint: test, change, and delete it, replace its secret, and activate it again. */
function EndpointActs({ account, endpoint, onSecret }: PanelProps) {
  const { id, url, status } = endpoint;
  const reload = useReload(account);
  const { ask, dialog } = useAction(reload);
  const { busy, failure, act } = useWork();
  const [result, setResult] = useState<ReturnType<typeof testResultOf> | null>(null);
  const [isEdited, setEdited] = useState(false);
  const shared = { variant: 'default', size: 'xs', disabled: !account.mayChange } as const;
  // The same URL reactivates an endpoint that the service disabled.
  const activate = async () => {
    await account.changeEndpoint(id, { url });
    notify(text.activated);
    await reload();
  };
  const test = async () => {
    setResult(null);
    setResult(testResultOf(await account.testEndpoint(id)));
    await reload();
  };
  return (
    <>
      <div className="row">
        {status === 'disabled' ? (
          <Button {...shared} loading={busy} onClick={act(activate)} aria-label={text.activateOf({ url })}>
            {text.activate}
          </Button>
        ) : null}
        <Button {...shared} loading={busy} onClick={act(test)} aria-label={text.testOf({ url })}>
          {text.test}
        </Button>
        {/* The agent's program registered the webhook of the specification, and changes its URL by registering again. */}
        {endpoint.specified ? null : (
          <Button
            {...shared}
            aria-expanded={isEdited}
            onClick={() => setEdited(!isEdited)}
            aria-label={text.editOf({ url })}
          >
            {text.edit}
          </Button>
        )}
        <Button
          {...shared}
          onClick={() => ask(rotationOf({ account, endpoint, onSecret }))}
          aria-label={text.rotateOf({ url })}
        >
          {text.rotate}
        </Button>
        <Button {...shared} onClick={() => ask(removalOf({ account, endpoint }))} aria-label={text.removeOf({ url })}>
          {text.remove}
        </Button>
        <span role="status" className={result?.good ? 'good' : 'bad'}>
          {result?.text}
        </span>
      </div>
      <Failure>{failure}</Failure>
      {isEdited ? <Edit account={account} endpoint={endpoint} onDone={() => setEdited(false)} /> : null}
      {dialog}
    </>
  );
}

function rotationOf({ account, endpoint: { id }, onSecret }: PanelProps): Action {
  return {
    title: text.rotateTitle,
    text: <p>{text.rotateText}</p>,
    confirm: text.rotate,
    run: async () => {
      onSecret((await account.rotateSecret(id)).signing_secret);
      return text.rotated;
    },
  };
}

type OneProps = Omit<PanelProps, 'onSecret'>;

function removalOf({ account, endpoint: { id } }: OneProps): Action {
  return {
    title: text.removeTitle,
    text: <p>{text.removeText}</p>,
    confirm: text.remove,
    destructive: true,
    run: async () => {
      await account.removeEndpoint(id);
      return text.removed;
    },
  };
}

function Edit({ account, endpoint: { id, url, types }, onDone }: OneProps & { onDone: () => void }) {
  const reload = useReload(account);
  const save = async (changed: string, chosen: string[]) => {
    // The same URL would reactivate a disabled endpoint.
    await account.changeEndpoint(id, { types: chosen, ...(changed === url ? {} : { url: changed }) });
    notify(text.saved);
    await reload();
    onDone();
  };
  return (
    <EndpointForm account={account} label={text.editOf({ url })} send={text.save} url={url} types={types} onSend={save}>
      <Button variant="default" onClick={onDone}>
        {text.cancel}
      </Button>
    </EndpointForm>
  );
}
