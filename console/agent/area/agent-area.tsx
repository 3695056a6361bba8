import { agent } from '../../messages/public.ts';
import { AreaLayout } from '../../signed-in/public.ts';
import { agentStore } from './agent-store.ts';

const sections = [
  { to: '/agent', label: agent.sections.profile },
  { to: '/agent/submissions', label: agent.sections.submissions },
  { to: '/agent/entries', label: agent.sections.history },
  { to: '/agent/analytics', label: agent.sections.analytics },
  { to: '/agent/money', label: agent.sections.money },
  { to: '/agent/webhook', label: agent.sections.webhook },
  { to: '/agent/keys', label: agent.sections.keys },
  { to: '/agent/wallet', label: agent.sections.wallet },
  { to: '/agent/settings', label: agent.sections.settings },
];

export function AgentArea() {
  return <AreaLayout store={agentStore} name={agent.name} signIn={agent.signIn} sections={sections} />;
}
