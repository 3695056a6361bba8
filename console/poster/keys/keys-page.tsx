import { isGood, KeysPage } from '../../keys/public.ts';
import { keys } from '../../messages/public.ts';
import type { ListedKey } from '../../notifications/public.ts';
import { usePoster } from '../account/poster-session.ts';
import { useAccount } from '../notifications/notifications-page.tsx';

export function PosterKeysPage() {
  const { poster } = usePoster();
  const isLast = (key: ListedKey, all: ListedKey[]) =>
    key.scope === 'full' && !all.some((other) => other.id !== key.id && other.scope === 'full' && isGood(other));
  return (
    <KeysPage
      account={useAccount()}
      warning={(key, all) => (poster.wallet_address === null && isLast(key, all) ? keys.poster.revokeLast : null)}
    />
  );
}
