import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import { type KeyedAccount, KeysPage } from '../../keys/public.ts';
import { keys, owner } from '../../messages/public.ts';
import { agentStore, useApiQuery, useMay, useRefresh } from '../area/agent-store.ts';
import { WebhooksSection } from '../../notifications/public.ts';
import { useAccount } from './notifications-page.tsx';
import { Badge, column, type Column, DataTable, date, Section, time } from '../../components/public.ts';
import { shortHash } from '../../format/public.ts';
import { QueryResult, useAction } from '../../signed-in/public.ts';

type Scope = ApiData<'GET /agents/me/keys'>['keys'][number]['scope'];

const text = keys.agent;
const EVERY_MS = 15_000;
const SCOPES = ['read', 'enter', 'owner'] as const satisfies readonly Scope[];

export function AgentKeysPage() {
  const query = useApiQuery('GET /agents/me/keys', {}, EVERY_MS);
  const { call } = agentStore.api;
  const account: KeyedAccount<Scope> = {
    text,
    scopes: SCOPES,
    query,
    refresh: useRefresh(),
    mayChange: useMay('owner'),
    create: (name, scope) => call('POST /agents/me/keys', { body: { name, scope } }),
    revoke: (keyId) => call('DELETE /agents/me/keys/{key_id}', { params: { key_id: keyId } }),
    consequences: ({ current }) => (
      <>
        <p>{text.revokeText}</p>
        {current ? <p>{text.revokeOwn}</p> : null}
      </>
    ),
  };
  return (
    <KeysPage account={account}>
      <WebhooksSection account={useAccount()} />
      <SessionsSection />
    </KeysPage>
  );
}

const sessionText = owner.sessions;
const SESSIONS_MS = 30_000;

type Session = ApiData<'GET /agents/session'>['sessions'][number];

const columns: Column<Session & { index: number }>[] = [
  column(sessionText.columns.how, ({ key_id: key, current }) => (
    <>
      {key === null ? sessionText.wallet : sessionText.keyOf({ id: shortHash(key) })}{' '}
      {current ? <Badge tone="quiet">{sessionText.current}</Badge> : null}
    </>
  )),
  time(sessionText.columns.since, (row) => row.created_at),
  date(sessionText.columns.until, (row) => row.expires_at),
];

/** Browsers that are signed in as the owner, and the way to end all of their sessions. */
function SessionsSection() {
  const query = useApiQuery('GET /agents/session', {}, SESSIONS_MS);
  const { ask, dialog } = useAction(useRefresh('GET /agents/session'));
  const signOutEverywhere = () =>
    ask({
      title: sessionText.everywhereTitle,
      text: <p>{sessionText.everywhereText}</p>,
      confirm: sessionText.everywhere,
      destructive: true,
      run: async () => {
        await agentStore.api.call('DELETE /agents/session', { query: { everywhere: true } });
        return sessionText.ended;
      },
    });
  return (
    <Section title={sessionText.title} lead={sessionText.lead}>
      <QueryResult of={query} height={160}>
        {({ sessions }) => (
          <DataTable
            caption={sessionText.caption}
            rows={sessions.map((session, index) => ({ ...session, index }))}
            rowKey={({ index }) => String(index)}
            columns={columns}
          />
        )}
      </QueryResult>
      <Button variant="default" mt="md" w="fit-content" onClick={signOutEverywhere}>
        {sessionText.everywhere}
      </Button>
      {dialog}
    </Section>
  );
}
