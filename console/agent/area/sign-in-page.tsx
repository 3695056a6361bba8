import { Link } from '@tanstack/react-router';
import { owner } from '../../messages/public.ts';
import { WalletOrKey } from '../../signed-in/public.ts';
import { signInWithKey, signInWithWallet } from './agent-store.ts';

const text = owner.signIn;

/** Signs the owner of an agent in, with the agent's wallet or with one of its keys. */
export function SignInPage({ isExpired }: { isExpired: boolean }) {
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
