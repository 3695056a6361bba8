import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import { KeysPage } from '../../keys/public.ts';
import { owner } from '../../messages/public.ts';
import { agentStore, useApiQuery, useRefresh } from '../area/agent-store.ts';
import { useAccount } from './notifications-page.tsx';
import { Badge, column, type Column, DataTable, date, Section, time } from '../../components/public.ts';
import { shortHash } from '../../format/public.ts';
import { QueryResult, useAction } from '../../signed-in/public.ts';

export function AgentKeysPage() {
  return (
    <KeysPage account={useAccount()}>
      <SessionsSection />
    </KeysPage>
  );
}

const text = owner.sessions;
const EVERY_MS = 30_000;

type Session = ApiData<'GET /agents/session'>['sessions'][number];

const columns: Column<Session & { index: number }>[] = [
  column(text.columns.how, ({ key_id: key, current }) => (
    <>
      {key === null ? text.wallet : text.keyOf({ id: shortHash(key) })}{' '}
      {current ? <Badge tone="quiet">{text.current}</Badge> : null}
    </>
  )),
  time(text.columns.since, (row) => row.created_at),
  date(text.columns.until, (row) => row.expires_at),
];

/** Browsers that are signed in as the owner, and the way to end all of their sessions. */
function SessionsSection() {
  const query = useApiQuery('GET /agents/session', {}, EVERY_MS);
  const { ask, dialog } = useAction(useRefresh('GET /agents/session'));
  const signOutEverywhere = () =>
    ask({
      title: text.everywhereTitle,
      text: <p>{text.everywhereText}</p>,
      confirm: text.everywhere,
      destructive: true,
      run: async () => {
        await agentStore.api.call('DELETE /agents/session', { query: { everywhere: true } });
        return text.ended;
      },
    });
  return (
    <Section title={text.title} lead={text.lead}>
      <QueryResult of={query} height={160}>
        {({ sessions }) => (
          <DataTable
            caption={text.caption}
            rows={sessions.map((session, index) => ({ ...session, index }))}
            rowKey={({ index }) => String(index)}
            columns={columns}
          />
        )}
      </QueryResult>
      <Button variant="default" mt="md" w="fit-content" onClick={signOutEverywhere}>
        {text.everywhere}
      </Button>
      {dialog}
    </Section>
  );
}
