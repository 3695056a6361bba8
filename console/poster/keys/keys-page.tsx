import { type ApiData, useNow } from '../../api/public.ts';
import { isGood, type KeyedAccount, KeysPage } from '../../keys/public.ts';
import { keys } from '../../messages/public.ts';
import { WebhooksSection } from '../../notifications/public.ts';
import { useAccount } from '../notifications/notifications-page.tsx';
import { useApiQuery, useRefresh } from '../account/own-projects.ts';
import { posterApi, usePoster } from '../account/poster-session.ts';

type Key = ApiData<'GET /posters/me/keys'>['keys'][number];
type Scope = Key['scope'];

const text = keys.poster;
const EVERY_MS = 15_000;
const SCOPES = ['read', 'full'] as const satisfies readonly Scope[];

export function PosterKeysPage() {
  const { poster, scope: held } = usePoster();
  const now = useNow();
  const query = useApiQuery('GET /posters/me/keys', {}, EVERY_MS);
  const isLast = (key: Key, all: Key[]) =>
    key.scope === 'full' && !all.some((other) => other.id !== key.id && other.scope === 'full' && isGood(other, now));
  const account: KeyedAccount<Scope> = {
    text,
    scopes: SCOPES,
    query,
    refresh: useRefresh(),
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
    <KeysPage account={account}>
      <WebhooksSection account={useAccount()} />
    </KeysPage>
  );
}
