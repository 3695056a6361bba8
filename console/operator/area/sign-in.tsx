import { Button, PasswordInput } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { ApiError, providerHost } from '../../api/public.ts';
import { describeError, Failure, Page } from '../../components/public.ts';
import { operator, signedIn } from '../../messages/public.ts';

type SignInProps = {
  store: {
    /** Exchanges the key for a session. @throws ApiError if the service rejects the key */
    open(key: string): Promise<void>;
    leaveForProvider(): Promise<void>;
  };
  /** Why the sign-in at the identity provider failed. */
  refusal: Error | null;
  isExpired: boolean;
};

const text = operator.signIn;

/** The sign-in page of operators: a button for the identity provider if the service has one, and a field for the key. */
export function SignIn({ store, refusal, isExpired }: SignInProps) {
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState<'key' | 'provider' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [problem, setProblem] = useState(refusal && describeError(refusal).text);
  const host = providerHost();

  async function attempt(way: 'key' | 'provider', work: () => Promise<void>, show: (failure: string | null) => void) {
    setBusy(way);
    setFailure(null);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      const isWrongKey = way === 'key' && error instanceof ApiError && error.status === 401;
      show(isWrongKey ? signedIn.wrong : describeError(error).text);
      setBusy(null);
    }
  }

  async function open(event: { preventDefault(): void }) {
    event.preventDefault();
    if (key.trim() === '') return setFailure(signedIn.needed);
    await attempt('key', async () => await store.open(key.trim()), setFailure);
  }

  return (
    <Page title={text.title} lead={host === null ? text.lead : text.providerLead}>
      {isExpired ? <p role="alert">{signedIn.expired}</p> : null}
      <Failure>{problem}</Failure>
      {host === null ? null : (
        <Button
          loading={busy === 'provider'}
          disabled={busy === 'key'}
          onClick={() => void attempt('provider', store.leaveForProvider, setProblem)}
        >
          {text.withProvider({ host })}
        </Button>
      )}
      <form className="card padded stack form" onSubmit={(event) => void open(event)} autoComplete="off">
        <PasswordInput
          label={text.label}
          description={text.keyHint}
          leftSection={<KeyRound size={18} aria-hidden="true" />}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          error={failure}
          visibilityToggleButtonProps={{ 'aria-label': text.show, 'aria-hidden': false, tabIndex: 0 }}
        />
        <Button
          type="submit"
          mr="auto"
          variant={host === null ? 'filled' : 'default'}
          loading={busy === 'key'}
          disabled={busy === 'provider'}
        >
          {signedIn.open}
        </Button>
        <p className="soft small">{signedIn.kept}</p>
      </form>
    </Page>
  );
}
