import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Banner, ErrorState, Loading } from '../../components/feedback/public.ts';
import { Page } from '../../components/layout/public.ts';
import { timeOf } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { type Session, useSession } from './poster-session.ts';
import classes from './session-gate.module.css';
import { SignInPage } from './sign-in-page.tsx';

/** Shows its content to signed-in posters and the sign-in page to everyone else, at the same URL. */
export function SessionGate({ children }: { children: (session: Session) => ReactNode }) {
  const { query, isExpired } = useSession();
  if (query.data) {
    return (
      <>
        {query.data.scope === 'read' ? <ReadOnly /> : null}
        {query.data.suspension === null ? null : <Suspended of={query.data.suspension} />}
        {children(query.data)}
      </>
    );
  }
  if (query.data === null) return <SignInPage isExpired={isExpired} />;
  return (
    <Page title={poster.home.title}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loading>
          <Skeleton height={280} radius="lg" />
        </Loading>
      )}
    </Page>
  );
}

/** Says at the top of each page that the poster cannot publish, and the reason that the operator gave. */
function Suspended({ of: { reason, since } }: { of: NonNullable<Session['suspension']> }) {
  const { title, text, why } = poster.account.suspended;
  return (
    <div className={classes.place}>
      <Banner tone="bad" title={title({ at: timeOf(since) })}>
        <p>{text}</p>
        <p>{why({ reason })}</p>
      </Banner>
    </div>
  );
}

/** Says at the top of each page why nothing can be changed: a key of scope `read` started the session. */
function ReadOnly() {
  const { title, text } = poster.account.readOnly;
  return (
    <div className={classes.place}>
      <Banner tone="warn" title={title}>
        {text}
      </Banner>
    </div>
  );
}
