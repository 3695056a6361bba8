import { type Account, accountOf, NotificationsPage } from '../../notifications/public.ts';
import { posterApi, usePoster } from '../account/poster-session.ts';

export function PosterNotificationsPage() {
  return <NotificationsPage account={useAccount()} />;
}

/** The requests of the signed-in poster. */
export function useAccount(): Account {
  const { poster, scope } = usePoster();
  return accountOf({ kind: 'poster', api: posterApi, owner: poster.id, mayChange: scope === 'full' });
}
