import { Button, PasswordInput } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError, providerHost } from '../../api/public.ts';
import { Failure, InputError, Page, useWork } from '../../components/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { finishSignIn, leaveForProvider, signInWithKey, takeAnswer } from './operator-store.ts';

const text = operator.signIn;

/** The sign-in page of operators: a button for the identity provider if the service has one, and a field for the key. */
export function SignIn({ isExpired }: { isExpired: boolean }) {
  const [key, setKey] = useState('');
  const withKey = useWork();
  const withProvider = useWork();
  const host = providerHost();
  useEffect(() => {
    const answer = takeAnswer();
    if (answer) void withProvider.run(() => finishSignIn(answer));
  });

  async function open() {
    if (key.trim() === '') throw new InputError(signedIn.needed);
    await signInWithKey(key.trim()).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 401 ? new InputError(signedIn.wrong) : error;
    });
  }

  return (
    <Page title={text.title} lead={host === null ? text.lead : text.providerLead}>
      {isExpired ? <p role="alert">{signedIn.expired}</p> : null}
      <Failure>{withProvider.failure}</Failure>
      {host === null ? null : (
        <Button loading={withProvider.busy} disabled={withKey.busy} onClick={withProvider.act(leaveForProvider)}>
          {text.withProvider({ host })}
        </Button>
      )}
      <form className="card padded stack form" onSubmit={withKey.act(open)} autoComplete="off">
        <PasswordInput
          label={text.label}
          description={text.keyHint}
          leftSection={<KeyRound size={18} aria-hidden="true" />}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          error={withKey.failure}
          visibilityToggleButtonProps={{ 'aria-label': text.show, 'aria-hidden': false, tabIndex: 0 }}
        />
        <Button
          type="submit"
          mr="auto"
          variant={host === null ? 'filled' : 'default'}
          loading={withKey.busy}
          disabled={withProvider.busy}
        >
          {signedIn.open}
        </Button>
        <p className="soft small">{signedIn.kept}</p>
      </form>
    </Page>
  );
}
