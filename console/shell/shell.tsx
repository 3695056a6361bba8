import { Moon, Sun, WifiOff } from 'lucide-react';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { onlineManager } from '@tanstack/react-query';
import { isTestNetwork, logo, serviceName, useIsReachable, useNetwork } from '../api/public.ts';
import { notePageChange, pageChangeRegion } from '../components/public.ts';
import { messages } from '../messages/public.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { type NavEntry, Navigation } from './navigation.tsx';
import { chooseScheme, useScheme } from '../styles/public.ts';
import classes from './shell.module.css';

/** Header, navigation, and footer around every page. */
export function Shell() {
  usePageChange();
  // The areas' routes are children of the root route, so importing them here would create an import cycle.
  const { nav } = useRouter().options.context as { nav: NavEntry[] };
  return (
    <>
      <a className={classes.skip} href="#main" onClick={focusMain}>
        {messages.skip}
      </a>
      <header className={classes.header}>
        <OfflineBar />
        <div className={classes.bar}>
          <Link to="/" className={classes.brand} aria-label={messages.home({ service: serviceName() })}>
            <Mark />
            <span className="one-line">{serviceName()}</span>
          </Link>
          <Navigation entries={nav} />
          {isTestNetwork() ? <p className={classes.network}>{messages.testMoney}</p> : null}
          <ColorSwitch />
        </div>
      </header>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className={`row ends soft small ${classes.footer}`}>
        <p>{messages.footer.promise}</p>
        <FooterLinks />
        <LanguageSwitch />
      </footer>
      <div id={pageChangeRegion} className="only-read" role="status" />
    </>
  );
}

/** Pages of the service, and the operator's pages that are set. */
function FooterLinks() {
  const network = useNetwork();
  const { footer, nav } = messages;
  const links = [
    [footer.how, '/docs/how-it-works'],
    [footer.money, '/docs/money'],
    [footer.rights, '/docs/rights'],
    [footer.developers, '/docs/agents'],
    [footer.reference, '/docs'],
    [footer.terms, network?.terms_url],
    [footer.privacy, network?.privacy_url],
    [footer.imprint, network?.imprint_url],
    [footer.contact, network?.contact_url],
  ] as const;
  return (
    <nav aria-label={footer.label}>
      <ul className="row loose">
        {links.map(([label, url]) =>
          url ? (
            <li key={label}>
              <a href={url}>{label}</a>
            </li>
          ) : null,
        )}
        <li>
          <Link to="/operator">{nav.operator}</Link>
        </li>
      </ul>
    </nav>
  );
}

function Mark() {
  const src = logo();
  if (src) return <img src={src} alt="" height="28" className={classes.logo} />;
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M16 6a10 10 0 1 0 10 10h-5a5 5 0 1 1-5-5z" fill="var(--accent-ink)" />
      <circle cx="23" cy="9" r="3" fill="var(--accent-ink)" />
    </svg>
  );
}

function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function usePageChange(): void {
  const opened = useRef<string | null>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? null });
  useEffect(() => {
    if (path === null || opened.current === path) return;
    if (opened.current !== null) notePageChange();
    opened.current = path;
  }, [path]);
}

function ColorSwitch() {
  const dark = useScheme() === 'dark';
  const other = dark ? 'light' : 'dark';
  return (
    <button
      type="button"
      className="round"
      aria-label={messages.colors.switchTo({ scheme: other })}
      onClick={() => chooseScheme(other)}
    >
      {dark ? <Sun size={20} aria-hidden="true" /> : <Moon size={20} aria-hidden="true" />}
    </button>
  );
}

/** Warns that the data may be outdated while the device is offline or the service is unreachable. */
function OfflineBar() {
  const online = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  );
  const answers = useIsReachable();
  return (
    <div role="status">
      {online && answers ? null : (
        <p className="warning row small">
          <WifiOff size={18} aria-hidden="true" />
          {online ? messages.unreachable : messages.offline}
        </p>
      )}
    </div>
  );
}
