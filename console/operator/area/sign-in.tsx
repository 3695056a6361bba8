import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { providerHost } from '../../api/public.ts';
import { Failure, Page, useWork } from '../../components/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { KeyForm } from '../../signed-in/public.ts';
import { finishSignIn, leaveForProvider, signInWithKey, takeAnswer } from './operator-store.ts';

const text = operator.signIn;

/** The sign-in page of operators: a button for the identity provider if the service has one, and a field for the key. */
export function SignIn({ isExpired }: { isExpired: boolean }) {
  const { busy, failure, run, act } = useWork();
  const host = providerHost();
  useEffect(() => {
    const answer = takeAnswer();
    if (answer) void run(() => finishSignIn(answer));
  });
  return (
    <Page title={text.title} lead={host === null ? text.lead : text.providerLead}>
      {isExpired ? <p role="alert">{signedIn.expired}</p> : null}
      <Failure>{failure}</Failure>
      {host === null ? null : (
        <Button loading={busy} onClick={act(leaveForProvider)}>
          {text.withProvider({ host })}
        </Button>
      )}
      <div className="card padded stack form">
        <KeyForm label={text.label} hint={text.keyHint} onKey={signInWithKey} />
        <p className="soft small">{signedIn.kept}</p>
      </div>
    </Page>
  );
}
