import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { Activity, type ReactNode, useEffect, useRef } from 'react';
import { describeError, NoData, Page } from '../components/public.ts';
import { signedIn } from '../messages/public.ts';
import classes from './area-layout.module.css';
import { Notices, notify } from './notices.tsx';
import type { Session } from './session.ts';

type Section = { to: string; label: string };

type AreaLayoutProps<Account> = {
  store: Session<Account>;
  name: string;
  /** The page that opens the area. */
  signIn: (isExpired: boolean) => ReactNode;
  /** Shown above each page. */
  above: (account: Account) => ReactNode;
  sections: Section[];
};

/** Layout of an area: the navigation of its sections, or its sign-in page while nobody is signed in. */
export function AreaLayout<Account>({ store, name, signIn, above, sections }: AreaLayoutProps<Account>) {
  const { account, owner, isExpired, isKnown, failure } = store.use();
  const isOpen = account !== null;
  const queries = useQueryClient();
  const nav = useShownSection();
  useEffect(() => void store.resume(), [store]);
  useCodeOf(sections, isOpen);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  // A notice is about the page where the act happened.
  useEffect(() => () => notify(null), [path]);
  // Remove the owner's data from the cache at the end.
  useEffect(
    () => () => queries.removeQueries({ predicate: (query) => query.queryKey.includes(owner) }),
    [queries, owner, isOpen],
  );
  if (!isKnown)
    return (
      <Page title={name}>
        <NoData of={{ error: failure, refetch: store.resume }} height={280} />
      </Page>
    );
  if (account === null) return signIn(isExpired);
  const [home] = sections;
  const signOut = () =>
    store.forget().catch((error: unknown) => {
      notify({ tone: 'bad', text: signedIn.stillIn({ why: describeError(error).text }) });
    });
  return (
    <>
      {isExpired ? (
        signIn(isExpired)
      ) : (
        <>
          <div className={classes.bar}>
            <nav ref={nav} className={classes.nav} aria-label={signedIn.sections({ area: name })}>
              {sections.map(({ to, label }) => (
                <Link key={to} to={to} className={classes.link} activeOptions={{ exact: to === home?.to }}>
                  {label}
                </Link>
              ))}
            </nav>
            <button type="button" className="plain small" onClick={() => void signOut()}>
              <LogOut size={18} aria-hidden="true" />
              <span>{signedIn.forget}</span>
            </button>
          </div>
          {above(account)}
          <Notices />
        </>
      )}
      {/* A session that ends loses nothing that was typed. Another account gets a page of its own. */}
      <Activity key={owner} mode={isExpired ? 'hidden' : 'visible'}>
        <Outlet />
      </Activity>
    </>
  );
}

/** The open page is shown by then. */
const CODE_AFTER_MS = 3_000;

/** Loads the code of all sections after sign-in. A failed load later would force a reload, which loses what is typed. */
function useCodeOf(sections: Section[], isOpen: boolean) {
  const router = useRouter();
  useEffect(() => {
    if (!isOpen) return;
    const timer = setTimeout(() => {
      for (const { to } of sections) void router.preloadRoute({ to });
    }, CODE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [router, sections, isOpen]);
}

/** Scrolls the open section into view if the navigation is wider than the screen. */
function useShownSection() {
  const nav = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  return nav;
}
