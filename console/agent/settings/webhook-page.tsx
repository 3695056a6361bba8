import { Button, TextInput } from '@mantine/core';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { webhookOperations } from '../../../contract/webhooks.ts';
import { type ApiData, ApiError } from '../../api/public.ts';
import { Facts } from '../../components/data/public.ts';
import { Banner, describeError, EmptyState } from '../../components/feedback/public.ts';
import { Page, Section } from '../../components/layout/public.ts';
import { capitalize, dayOf, timeOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { NewSecret, QueryResult, testResultOf, useAction } from '../../signed-in/public.ts';
import { agentStore, useApiQuery, useMay, useRefresh, WebhookState } from '../area/public.ts';
import { Deliveries } from './deliveries.tsx';
import classes from './webhook-page.module.css';

type Registration = ApiData<'GET /agents/webhooks/projects'>;

const text = agent.webhook;
const EVERY_MS = 30_000;

export function WebhookPage() {
  // The profile tells whether the agent has a webhook; the webhook's own route would return a 404.
  const profile = useApiQuery('GET /agents/me', {}, EVERY_MS);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Page title={text.title} lead={text.lead}>
      {secret === null ? null : (
        <NewSecret
          title={text.secretTitle}
          text={text.secretText}
          what={text.secret}
          value={secret}
          onDone={() => setSecret(null)}
        />
      )}
      <QueryResult of={profile}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <>
              <EmptyState {...text.none} icon={<Webhook size={32} aria-hidden="true" />} />
              <Register label={text.register} onSecret={setSecret} />
            </>
          ) : (
            <Registered onSecret={setSecret} />
          )
        }
      </QueryResult>
    </Page>
  );
}

function Registered({ onSecret }: { onSecret: (secret: string) => void }) {
  const query = useApiQuery('GET /agents/webhooks/projects', {}, EVERY_MS);
  return (
    <QueryResult of={query}>
      {(webhook) => (
        <>
          {webhook.status === 'disabled' ? (
            <Banner tone="bad" title={text.disabled({ why: webhook.disabled_reason ?? '' })} />
          ) : null}
          {webhook.status === 'failing' && webhook.failing_since ? (
            <Banner tone="warn" title={text.failing({ at: timeOf(webhook.failing_since) })} />
          ) : null}
          <Facts facts={factsOf(webhook)} />
          <Tools onSecret={onSecret} />
          <Section title={text.deliveries} lead={text.deliveriesLead}>
            <Deliveries />
          </Section>
        </>
      )}
    </QueryResult>
  );
}

function factsOf(webhook: Registration) {
  const { facts } = text;
  return [
    { label: facts.url, value: webhook.webhook_url },
    { label: facts.state, value: <WebhookState state={webhook.status} /> },
    { label: facts.event, value: webhook.event_type },
    { label: facts.since, value: dayOf(webhook.created_at) },
    ...(webhook.previous_secret_until ? [{ label: facts.previous, value: timeOf(webhook.previous_secret_until) }] : []),
  ];
}

function Tools({ onSecret }: { onSecret: (secret: string) => void }) {
  // Refresh the profile only: the webhook's own route returns a 404 after a deletion.
  const { ask, dialog } = useAction(useRefresh('GET /agents/me'));
  const mayChange = useMay('owner');
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ good: boolean; text: string } | null>(null);

  async function test() {
    setBusy(true);
    setResult(null);
    try {
      setResult(testResultOf(await agentStore.api.call('POST /agents/webhooks/projects/test', {})));
    } catch (error) {
      setResult({ good: false, text: describeError(error).text });
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className={classes.tools}>
      <div className={classes.buttons}>
        <Button variant="default" loading={busy} disabled={!mayChange} onClick={() => void test()}>
          {text.test}
        </Button>
        <Button
          variant="default"
          disabled={!mayChange}
          onClick={() =>
            ask({
              title: text.deleteTitle,
              text: text.deleteText,
              confirm: text.delete,
              destructive: true,
              run: async () => {
                await agentStore.api.call('DELETE /agents/webhooks/projects', {});
                return text.deleted;
              },
            })
          }
        >
          {text.delete}
        </Button>
      </div>
      <p role="status" className={result && !result.good ? classes.bad : classes.good}>
        {result?.text}
      </p>
      <details>
        <summary>{text.replace}</summary>
        <p className="soft">{text.replaceHint}</p>
        <Register label={text.replace} onSecret={onSecret} />
      </details>
      {dialog}
    </div>
  );
}

function Register({ label, onSecret }: { label: string; onSecret: (secret: string) => void }) {
  const refresh = useRefresh();
  const mayChange = useMay('owner');
  const [url, setUrl] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function register(event: { preventDefault(): void }) {
    event.preventDefault();
    const body = { webhook_url: url.trim() };
    const refused = webhookOperations.registerWebhook.body.safeParse(body).error?.issues[0];
    if (refused) return setFailure(capitalize(refused.message));
    setBusy(true);
    setFailure(null);
    try {
      const made = await agentStore.api.call('POST /agents/webhooks/projects', { body });
      setUrl('');
      onSecret(made.webhook_secret);
      await refresh();
    } catch (error) {
      const [detail] = error instanceof ApiError ? error.details : [];
      setFailure(detail ? capitalize(detail.message) : describeError(error).text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={classes.register} onSubmit={(event) => void register(event)} noValidate>
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
      <Button type="submit" loading={busy} disabled={!mayChange}>
        {label}
      </Button>
    </form>
  );
}
