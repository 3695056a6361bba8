import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '../../components/feedback/public.ts';
import { Page, Panel } from '../../components/layout/public.ts';
import { poster } from '../../messages/public.ts';
import { type Wallet, WalletError, WalletPicker } from '../../wallets/public.ts';
import { signInWithKey, signInWithWallet } from './poster-session.ts';
import classes from './sign-in-page.module.css';

const text = poster.signIn;

export function SignInPage({ isExpired }: { isExpired: boolean }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState<{ id: string; name: string } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [name, setName] = useState('');

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
  const withWallet = (wallet: Wallet) => void attempt(wallet, () => signInWithWallet(queries, wallet, name));

  return (
    <Page title={text.title} lead={text.lead}>
      {isExpired ? (
        <p role="alert" className={classes.expired}>
          {text.expired}
        </p>
      ) : null}
      <div className={classes.columns}>
        <Panel id="with-wallet" title={text.wallets}>
          <TextInput
            label={text.name}
            description={text.nameHint}
            value={name}
            maxLength={100}
            autoComplete="organization"
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <WalletPicker busy={busy?.id ?? null} onPick={withWallet} />
        </Panel>
        <KeyForm
          busy={busy !== null}
          onKey={(key) => void attempt({ id: 'key', name: '' }, () => signInWithKey(queries, key))}
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
    </Page>
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof WalletError) return error.refused ? text.refused : text.failed;
  return describeError(error).text;
}

function KeyForm({ busy, onKey }: { busy: boolean; onKey: (key: string) => void }) {
  const [key, setKey] = useState('');
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (key.trim() !== '') onKey(key);
  };
  return (
    <Panel id="with-key" title={text.key}>
      <form onSubmit={submit} className={classes.form}>
        <PasswordInput
          label={text.keyLabel}
          description={text.keyHint}
          value={key}
          autoComplete="off"
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={busy || key.trim() === ''}>
          {text.keyButton}
        </Button>
      </form>
    </Panel>
  );
}
