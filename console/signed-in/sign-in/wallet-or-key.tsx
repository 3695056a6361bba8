import { Button, PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/public.ts';
import { Banner, Failure, InputError, Page, Panel, useWork } from '../../components/public.ts';
import { signedIn } from '../../messages/public.ts';
import { type Wallet, WalletPicker } from '../../wallets/public.ts';

type WalletOrKeyProps = {
  /** `expired` is shown when the service has ended the session; `wallets` and `key` are the headings of the two ways. */
  text: { title: string; lead: string; expired: string; wallets: string; key: string; label: string; hint: string };
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
  const ways = (
    <>
      <div role="alert">{isExpired ? <Banner tone="warn" title={text.expired} /> : null}</div>
      <div className="fit">
        <Panel id="with-wallet" title={text.wallets}>
          {beforeWallets}
          <WalletPicker onPick={onWallet} />
        </Panel>
        <Panel id="with-key" title={text.key}>
          <KeyForm label={text.label} hint={text.hint} onKey={onKey} />
        </Panel>
      </div>
      {children ? <div className="spaced">{children}</div> : null}
    </>
  );
  if (isPart) return ways;
  return (
    <Page title={text.title} lead={text.lead}>
      {ways}
    </Page>
  );
}

type KeyFormProps = { label: string; hint: string; onKey: (key: string) => Promise<void> };

/** Exchanges a typed key for a session. */
export function KeyForm({ label, hint, onKey }: KeyFormProps) {
  const [key, setKey] = useState('');
  const { busy, failure, act } = useWork();
  const isNeeded = failure === signedIn.needed;
  const open = async () => {
    if (key.trim() === '') throw new InputError(signedIn.needed);
    await onKey(key.trim()).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 401 ? new InputError(signedIn.wrong) : error;
    });
  };
  return (
    <form onSubmit={act(open)} className="stack" autoComplete="off">
      <PasswordInput
        label={label}
        description={hint}
        value={key}
        autoComplete="off"
        spellCheck={false}
        error={isNeeded ? failure : null}
        onChange={(event) => setKey(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': signedIn.show, 'aria-hidden': false, tabIndex: 0 }}
      />
      <Button type="submit" variant="default" loading={busy}>
        {signedIn.open}
      </Button>
      <Failure>{isNeeded ? null : failure}</Failure>
    </form>
  );
}
