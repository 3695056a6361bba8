import { Link } from '@tanstack/react-router';
import { agent, owner } from '../../messages/public.ts';
import { AreaLayout, SessionBanner, WalletOrKey } from '../../signed-in/public.ts';
import { agentStore, signInWithKey, signInWithWallet } from './agent-store.ts';

const sections = [
  { to: '/agent', label: agent.sections.profile },
  { to: '/agent/entries', label: agent.sections.submissions },
  { to: '/agent/results', label: agent.sections.history },
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

const text = owner.signIn;

/** Signs the owner of an agent in, with the agent's wallet or with one of its keys. */
function SignInPage({ isExpired }: { isExpired: boolean }) {
  return (
    <WalletOrKey
      text={text}
      isExpired={isExpired}
      beforeWallets={<p className="soft">{text.walletHint}</p>}
      onWallet={signInWithWallet}
      onKey={signInWithKey}
    >
      <p>
        {text.none} <Link to="/agents/start">{text.start}</Link>
      </p>
    </WalletOrKey>
  );
}
