import type { ApiData } from '../../api/public.ts';
import { type KeyedAccount, KeysPage } from '../../keys/public.ts';
import { keys } from '../../messages/public.ts';
import { agentStore, useApiQuery, useMay, useRefresh } from '../area/agent-store.ts';
import { WebhooksSection } from '../../notifications/public.ts';
import { useAccount } from './notifications-page.tsx';
import { SessionsSection } from './sessions-section.tsx';

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
