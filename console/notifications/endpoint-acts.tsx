import { Button } from '@mantine/core';
import { useState } from 'react';
import { Failure, useWork } from '../components/public.ts';
import { notifications } from '../messages/public.ts';
import { type Action, notify, testResultOf, useAction } from '../signed-in/public.ts';
import type { Account, Endpoint } from './account.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { useReload } from './use-notifications.ts';

const text = notifications.webhooks;

type ActsProps = { account: Account; endpoint: Endpoint; onSecret: (secret: string) => void };

/** The acts on an endpoint: test, change, and delete it, replace its secret, and activate it again. */
export function EndpointActs({ account, endpoint, onSecret }: ActsProps) {
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
        {/* The agent's program has registered a specified one, and moves it by registering again. */}
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

function rotationOf({ account, endpoint: { id }, onSecret }: ActsProps): Action {
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

type OneProps = Omit<ActsProps, 'onSecret'>;

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
