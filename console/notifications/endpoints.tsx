import { Button, TextInput } from '@mantine/core';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../api/public.ts';
import { describeError, EmptyState } from '../components/feedback/public.ts';
import { capitalize } from '../format/public.ts';
import { notifications } from '../messages/public.ts';
import { NewSecret, QueryResult } from '../signed-in/public.ts';
import type { Account } from './account.ts';
import { EndpointPanel } from './endpoint-panel.tsx';
import classes from './notifications.module.css';
import { TypeChoice } from './type-choice.tsx';
import { useEndpoints, useReload } from './use-notifications.ts';

const text = notifications.webhooks;

export function Endpoints({ account }: { account: Account }) {
  const query = useEndpoints(account);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      {secret === null ? null : (
        <NewSecret
          title={text.secretTitle}
          text={text.secretText}
          what={text.secret}
          value={secret}
          onDone={() => setSecret(null)}
        />
      )}
      <QueryResult of={query} height={160}>
        {(endpoints) => (
          <>
            {endpoints.length === 0 ? (
              <EmptyState {...text.empty} icon={<Webhook size={32} aria-hidden="true" />} />
            ) : (
              <ul className={classes.endpoints}>
                {endpoints.map((endpoint) => (
                  <li key={endpoint.id}>
                    <EndpointPanel account={account} endpoint={endpoint} onSecret={setSecret} />
                  </li>
                ))}
              </ul>
            )}
            <NewEndpoint account={account} onSecret={setSecret} />
          </>
        )}
      </QueryResult>
    </>
  );
}

function NewEndpoint({ account, onSecret }: { account: Account; onSecret: (secret: string) => void }) {
  const reload = useReload(account);
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState<string[]>([]);
  const [failures, setFailures] = useState<{ url?: string; types?: string }>({});
  const [busy, setBusy] = useState(false);

  async function add(event: { preventDefault(): void }) {
    event.preventDefault();
    if (types.length === 0) return setFailures({ types: text.needsType });
    setBusy(true);
    setFailures({});
    try {
      const made = await account.addEndpoint(url.trim(), types);
      setUrl('');
      setTypes([]);
      onSecret(made.signing_secret);
      await reload();
    } catch (error) {
      const [detail] = error instanceof ApiError ? error.details : [];
      setFailures({ url: detail ? capitalize(detail.message) : describeError(error).text });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={classes.form} aria-label={text.add} onSubmit={(event) => void add(event)} noValidate>
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
      <Button type="submit" loading={busy} disabled={!account.mayChange}>
        {text.add}
      </Button>
    </form>
  );
}
