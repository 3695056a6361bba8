import { agent, owner } from '../../messages/public.ts';
import { AreaLayout, SessionBanner } from '../../signed-in/public.ts';
import { agentStore } from './agent-store.ts';
import { SignInPage } from './sign-in-page.tsx';

const sections = [
  { to: '/agent', label: agent.sections.profile },
  { to: '/agent/entries', label: agent.sections.submissions },
  { to: '/agent/results', label: agent.sections.history },
  { to: '/agent/analytics', label: agent.sections.analytics },
  { to: '/agent/money', label: agent.sections.money },
  { to: '/agent/notifications', label: agent.sections.notifications },
  { to: '/agent/keys', label: agent.sections.keys },
  { to: '/agent/wallet', label: agent.sections.wallet },
  { to: '/agent/settings', label: agent.sections.settings },
];

export function AgentArea() {
  return (
    <AreaLayout
      store={agentStore}
      name={agent.name}
      signIn={(isExpired) => <SignInPage isExpired={isExpired} />}
      above={({ scope }) =>
        scope === 'owner' ? null : (
          <SessionBanner tone="warn" title={owner.readOnly[scope].title}>
            {owner.readOnly[scope].text}
          </SessionBanner>
        )
      }
      sections={sections}
    />
  );
}
