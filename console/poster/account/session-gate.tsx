import type { ReactNode } from 'react';
import { NoData, Page } from '../../components/public.ts';
import { timeOf } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { SessionBanner } from '../../signed-in/public.ts';
import { type Session, useSession } from './poster-session.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { SignInPage } from './sign-in-page.tsx';

type SessionGateProps = { /** Whether the page is. */ wide?: boolean; children: (session: Session) => ReactNode };

/** Shows its content to signed-in posters and the sign-in page to everyone else, at the same URL. */
export function SessionGate({ wide = false, children }: SessionGateProps) {
  const { query, isExpired } = useSession();
  if (query.data) {
    return (
      <>
        {query.data.scope === 'read' ? (
          <SessionBanner tone="warn" title={poster.account.readOnly.title}>
            {poster.account.readOnly.text}
          </SessionBanner>
        ) : null}
        {query.data.suspension === null ? null : <Suspended of={query.data.suspension} />}
        {children(query.data)}
      </>
    );
  }
  if (query.data === null) return <SignInPage isExpired={isExpired} />;
  return (
    <Page title={poster.home.title} above={<Breadcrumb />} wide={wide}>
      <NoData of={query} height={420} />
    </Page>
  );
}

/** Says at the top of each page that the poster cannot publish, and the reason that the operator gave. */
function Suspended({ of: { reason, since } }: { of: NonNullable<Session['suspension']> }) {
  const { title, text, why } = poster.account.suspended;
  return (
    <SessionBanner tone="bad" title={title({ at: timeOf(since) })}>
      <p>{text}</p>
      <p>{why({ reason })}</p>
    </SessionBanner>
  );
}
