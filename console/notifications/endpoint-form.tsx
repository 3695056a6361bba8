import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/public.ts';
import { describeError } from '../components/public.ts';
import { capitalize } from '../format/public.ts';
import { notifications } from '../messages/public.ts';
import type { Account } from './account.ts';
import { TypeChoice } from './type-choice.tsx';

const text = notifications.webhooks;

type EndpointFormProps = {
  account: Account;
  /** Names the form. */
  label: string;
  /** Label of the button that sends the form. */
  send: string;
  /** The values at the start. */
  url?: string;
  types?: readonly string[];
  /** Sends the values. Its failure is shown at the URL. */
  onSend: (url: string, types: string[]) => Promise<void>;
  /** More buttons. */
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
  const [failures, setFailures] = useState<{ url?: string; types?: string }>({});
  const [busy, setBusy] = useState(false);

  async function submit(event: { preventDefault(): void }) {
    event.preventDefault();
    if (types.length === 0) return setFailures({ types: text.needsType });
    setBusy(true);
    setFailures({});
    try {
      await onSend(url.trim(), types);
      setUrl(initial);
      setTypes([...chosen]);
    } catch (error) {
      const [detail] = error instanceof ApiError ? error.details : [];
      setFailures({ url: detail ? capitalize(detail.message) : describeError(error).text });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="stack form" aria-label={label} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label={text.url}
        description={text.urlHint}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        inputMode="url"
        placeholder={text.urlExample}
        required
        error={failures.url}
      />
      <TypeChoice
        label={text.types}
        types={account.webhookTypes}
        value={types}
        onChange={setTypes}
        error={failures.types ?? null}
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
