import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState, Loading } from '../../components/feedback/public.ts';
import { Page } from '../../components/layout/public.ts';
import { poster } from '../../messages/public.ts';
import { type Session, useSession } from './poster-session.ts';
import { SignInPage } from './sign-in-page.tsx';

/** Its content is for who is signed in; everybody else signs in first, and is then where they wanted to be. */
export function SessionGate({ children }: { children: (session: Session) => ReactNode }) {
  const { asked, over } = useSession();
  if (asked.data) return children(asked.data);
  if (asked.data === null) return <SignInPage over={over} />;
  return (
    <Page title={poster.home.title}>
      {asked.error ? (
        <ErrorState error={asked.error} onRetry={() => void asked.refetch()} />
      ) : (
        <Loading>
          <Skeleton height={280} radius="lg" />
        </Loading>
      )}
    </Page>
  );
}
