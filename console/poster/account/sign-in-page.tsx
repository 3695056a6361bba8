import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useNetwork } from '../../api/public.ts';
import { poster } from '../../messages/public.ts';
import { WalletOrKey } from '../../signed-in/public.ts';
import { useOfferedWallets } from '../../wallets/public.ts';
import { signInWithKey, signInWithWallet } from './poster-session.ts';

const text = poster.signIn;

/** Signs a poster in, with a wallet or with a poster key. A new wallet becomes a new poster with this name. */
export function SignInPage({ isExpired, isPart = false }: { isExpired: boolean; isPart?: boolean }) {
  const network = useNetwork();
  const wallets = useOfferedWallets();
  const [name, setName] = useState('');
  const nameField = (
    <>
      {wallets.length === 0 ? null : (
        <TextInput
          label={text.name}
          description={text.nameHint}
          value={name}
          maxLength={100}
          autoComplete="organization"
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      {isPart ? null : (
        <p>
          {text.first} <Link to="/poster/draft">{poster.draft.new}</Link>
        </p>
      )}
      {network?.sends_email ? <p className="soft">{text.emailHint}</p> : null}
      {network?.terms_url ? (
        <p className="soft">
          {text.terms} <a href={network.terms_url}>{text.termsLink}</a>.
        </p>
      ) : null}
    </>
  );
  return (
    <WalletOrKey
      text={text}
      isExpired={isExpired}
      isPart={isPart}
      beforeWallets={nameField}
      onWallet={(wallet) => signInWithWallet(wallet, name)}
      onKey={signInWithKey}
    />
  );
}
