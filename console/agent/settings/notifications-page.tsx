import { type Account, accountOf, NotificationsPage } from '../../notifications/public.ts';
import { agentStore, useMay } from '../area/agent-store.ts';

export function AgentNotificationsPage() {
  return <NotificationsPage account={useAccount()} />;
}

/** The requests of the signed-in agent. */
export function useAccount(): Account {
  const { owner } = agentStore.use();
  return accountOf({ kind: 'agent', api: agentStore.api, owner, mayChange: useMay('owner') });
}
