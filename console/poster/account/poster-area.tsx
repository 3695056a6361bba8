import { timeOf } from '../../format/public.ts';
import { keys, notifications, poster } from '../../messages/public.ts';
import { AreaLayout, SessionBanner } from '../../signed-in/public.ts';
import { posterStore, type Session } from './poster-session.ts';
import { SignInPage } from './sign-in-page.tsx';

const sections = [
  { to: '/poster', label: poster.home.title },
  { to: '/poster/notifications', label: notifications.title },
  { to: '/poster/keys', label: keys.title },
];

export function PosterArea() {
  return (
    <AreaLayout
      store={posterStore}
      name={poster.home.title}
      signIn={(isExpired) => <SignInPage isExpired={isExpired} />}
      above={(session) => <Limits of={session} />}
      sections={sections}
    />
  );
}

/** Says at the top of each page what the session or the poster cannot do, and why. */
export function Limits({ of: { scope, suspension } }: { of: Session }) {
  const { readOnly, suspended } = poster.account;
  return (
    <>
      {scope === 'read' ? (
        <SessionBanner tone="warn" title={readOnly.title}>
          {readOnly.text}
        </SessionBanner>
      ) : null}
      {suspension ? (
        <SessionBanner tone="bad" title={suspended.title({ at: timeOf(suspension.since) })}>
          <p>{suspended.text}</p>
          <p>{suspended.why({ reason: suspension.reason })}</p>
        </SessionBanner>
      ) : null}
    </>
  );
}
