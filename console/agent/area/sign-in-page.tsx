import { Button, PasswordInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { Page, Panel } from '../../components/layout/public.ts';
import { owner, signedIn } from '../../messages/public.ts';
import { type Wallet, WalletError, WalletPicker } from '../../wallets/public.ts';
import { agentStore } from './agent-store.ts';
import classes from './sign-in-page.module.css';

const text = owner.signIn;

/** Signs the owner of an agent in, with the agent's wallet or with one of its keys. */
export function SignInPage({ isExpired }: { isExpired: boolean }) {
  const [busy, setBusy] = useState<{ id: string; name: string } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function attempt(source: { id: string; name: string }, work: () => Promise<void>) {
    setBusy(source);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(describeFailure(error));
      setBusy(null);
    }
  }
  return (
    <Page title={text.title} lead={text.lead}>
      {isExpired ? (
        <p role="alert" className={classes.expired}>
          {text.expired}
        </p>
      ) : null}
      <div className={classes.columns}>
        <Panel id="with-wallet" title={text.wallets}>
          <p className="soft">{text.walletHint}</p>
          <WalletPicker
            busy={busy?.id ?? null}
            onPick={(wallet: Wallet) => void attempt(wallet, () => agentStore.signInWithWallet(wallet))}
          />
        </Panel>
        <KeyForm
          busy={busy !== null}
          onKey={(key) => void attempt({ id: 'key', name: '' }, () => agentStore.signInWithKey(key))}
        />
      </div>
      <p role="status" className={classes.status}>
        {busy && busy.name !== '' ? text.confirmIn({ wallet: busy.name }) : ''}
      </p>
      {failure ? (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      ) : null}
      <p>
        {text.none} <Link to="/agents/start">{text.start}</Link>
      </p>
    </Page>
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof WalletError) return error.refused ? text.refused : text.failed;
  if (error instanceof ApiError && error.code === 'INVALID_API_KEY') return signedIn.wrong;
  return describeError(error).text;
}

function KeyForm({ busy, onKey }: { busy: boolean; onKey: (key: string) => void }) {
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
      <form onSubmit={submit} className={classes.form} autoComplete="off">
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
