import { Button, PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/public.ts';
import { Banner, describeError, Failure, Page, Panel } from '../../components/public.ts';
import { signedIn } from '../../messages/public.ts';
import { type Wallet, WalletError, WalletPicker } from '../../wallets/public.ts';
import classes from './wallet-or-key.module.css';

export type WalletOrKeyText = {
  title: string;
  lead: string;
  /** Shown when the service has ended the session. */
  expired: string;
  wallets: string;
  confirmIn: (values: { wallet: string }) => string;
  refused: string;
  failed: string;
  key: string;
  label: string;
  hint: string;
  /** Label of the button that reveals the key. */
  show: string;
  open: string;
};

type WalletOrKeyProps = {
  text: WalletOrKeyText;
  isExpired: boolean;
  /** Leaves out the page around the two ways. */
  isPart?: boolean;
  /** Shown above the wallets. */
  beforeWallets: ReactNode;
  onWallet: (wallet: Wallet) => Promise<void>;
  onKey: (key: string) => Promise<void>;
  /** Shown below both ways. */
  children?: ReactNode;
};

/** The sign-in page of an area that starts a session by a wallet's signature or in exchange for a key. */
export function WalletOrKey(props: WalletOrKeyProps) {
  const { text, isExpired, isPart = false, beforeWallets, onWallet, onKey, children } = props;
  // The name of the wallet that is asked. Empty while a key is exchanged.
  const [busy, setBusy] = useState<{ id: string; name: string } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function attempt(source: { id: string; name: string }, work: () => Promise<void>) {
    setBusy(source);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(describeFailure(error, text));
      setBusy(null);
    }
  }
  const ways = (
    <>
      <div role="alert">{isExpired ? <Banner tone="warn" title={text.expired} /> : null}</div>
      <div className="fit">
        <Panel id="with-wallet" title={text.wallets}>
          {beforeWallets}
          <WalletPicker
            busy={busy?.id ?? null}
            onPick={(wallet) => void attempt(wallet, async () => await onWallet(wallet))}
          />
        </Panel>
        <KeyForm
          text={text}
          busy={busy !== null}
          onKey={(key) => void attempt({ id: 'key', name: '' }, async () => await onKey(key))}
        />
      </div>
      <p role="status" className={`soft ${classes.status}`}>
        {busy && busy.name !== '' ? text.confirmIn({ wallet: busy.name }) : ''}
      </p>
      <Failure>{failure}</Failure>
      {children}
    </>
  );
  if (isPart) return ways;
  return (
    <Page title={text.title} lead={text.lead}>
      {ways}
    </Page>
  );
}

function describeFailure(error: unknown, text: WalletOrKeyText): string {
  if (error instanceof WalletError) return error.refused ? text.refused : text.failed;
  if (error instanceof ApiError && error.code === 'INVALID_API_KEY') return signedIn.wrong;
  return describeError(error).text;
}

function KeyForm({ text, busy, onKey }: { text: WalletOrKeyText; busy: boolean; onKey: (key: string) => void }) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (key.trim() === '') return setProblem(signedIn.needed);
    setProblem(null);
    onKey(key);
  };
  return (
    <Panel id="with-key" title={text.key}>
      <form onSubmit={submit} className="stack" autoComplete="off">
        <PasswordInput
          label={text.label}
          description={text.hint}
          value={key}
          autoComplete="off"
          spellCheck={false}
          error={problem}
          onChange={(event) => setKey(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': text.show, 'aria-hidden': false, tabIndex: 0 }}
        />
        <Button type="submit" variant="default" disabled={busy}>
          {text.open}
        </Button>
      </form>
    </Panel>
  );
}
