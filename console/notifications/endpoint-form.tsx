import { Button, Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useWork } from '../components/public.ts';
import { notifications } from '../messages/public.ts';
import type { Account } from './account.ts';
import { nameOf } from './event-list.tsx';

const text = notifications.webhooks;

type EndpointFormProps = {
  account: Account;
  label: string;
  /** Label of the button that sends the form. */
  send: string;
  /** The values at the start. */
  url?: string;
  types?: readonly string[];
  /** Sends the values. Its failure is shown at the URL. */
  onSend: (url: string, types: string[]) => Promise<void>;
  children?: ReactNode;
};

/** The URL and the events of an endpoint. It is empty again after a new endpoint was added. */
export function EndpointForm({
  account,
  label,
  send,
  url: initial = '',
  types: chosen = [],
  onSend,
  children,
}: EndpointFormProps) {
  const [url, setUrl] = useState(initial);
  const [types, setTypes] = useState([...chosen]);
  const [needsType, setNeedsType] = useState(false);
  const { busy, failure, act } = useWork();
  const submit = async () => {
    setNeedsType(types.length === 0);
    if (types.length === 0) return;
    await onSend(url.trim(), types);
    setUrl(initial);
    setTypes([...chosen]);
  };
  return (
    <form className="stack form" aria-label={label} onSubmit={act(submit)} noValidate>
      <TextInput
        label={text.url}
        description={text.urlHint}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        inputMode="url"
        placeholder={text.urlExample}
        required
        error={failure}
      />
      <TypeChoice
        label={text.types}
        types={account.webhookTypes}
        value={types}
        onChange={setTypes}
        error={needsType ? text.needsType : null}
      />
      <div className="row">
        <Button type="submit" loading={busy} disabled={!account.mayChange}>
          {send}
        </Button>
        {children}
      </div>
    </form>
  );
}

type TypeChoiceProps = {
  label: string;
  types: readonly string[];
  value: string[];
  onChange: (types: string[]) => void;
  error?: string | null;
};

/** Checkboxes for event types, in the order of the service. */
function TypeChoice({ label, types, value, onChange, error = null }: TypeChoiceProps) {
  return (
    <Checkbox.Group label={label} value={value} onChange={onChange} error={error}>
      <div className="tiles">
        {types.map((type) => (
          <Checkbox key={type} value={type} label={nameOf(type)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
