import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ApiData, useNow } from '../../api/public.ts';
import { isGood, type KeyedAccount, KeysPage } from '../../keys/public.ts';
import { keys } from '../../messages/public.ts';
import { WebhooksSection } from '../../notifications/public.ts';
import { Notices, notify } from '../../signed-in/public.ts';
import { useAccount } from '../notifications/notifications-page.tsx';
import { Breadcrumb } from '../account/breadcrumb.tsx';
import { ownQuery } from '../account/own-projects.ts';
import { posterApi, type Session } from '../account/poster-session.ts';
import { SessionGate } from '../account/session-gate.tsx';

type Key = ApiData<'GET /posters/me/keys'>['keys'][number];
type Scope = Key['scope'];

const text = keys.poster;
const LIST = 'GET /posters/me/keys';
const EVERY_MS = 15_000;
const SCOPES = ['read', 'full'] as const satisfies readonly Scope[];

export function PosterKeysPage() {
  return <SessionGate>{(session) => <OfPoster session={session} />}</SessionGate>;
}

function OfPoster({ session: { poster, scope: held } }: { session: Session }) {
  const queries = useQueryClient();
  const now = useNow();
  const query = useQuery(ownQuery(poster.id, LIST, {}, EVERY_MS));
  // A notice is about this page.
  useEffect(() => () => notify(null), []);
  const isLast = (key: Key, all: Key[]) =>
    key.scope === 'full' && !all.some((other) => other.id !== key.id && other.scope === 'full' && isGood(other, now));
  const account: KeyedAccount<Scope> = {
    text,
    scopes: SCOPES,
    query,
    refresh: async () => await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === LIST }),
    mayChange: held === 'full',
    create: (name, scope) => posterApi.call('POST /posters/me/keys', { body: { name, scope } }),
    revoke: (keyId) => posterApi.call('DELETE /posters/me/keys/{key_id}', { params: { key_id: keyId } }),
    consequences: (key, all) => (
      <>
        <p>{text.revokeText}</p>
        {key.current ? <p>{text.revokeOwn}</p> : null}
        {poster.wallet_address === null && isLast(key, all) ? <p>{text.revokeLast}</p> : null}
      </>
    ),
  };
  return (
    <>
      <Notices />
      <KeysPage account={account} above={<Breadcrumb />}>
        <WebhooksSection account={useAccount(poster.id, held === 'full')} />
      </KeysPage>
    </>
  );
}
