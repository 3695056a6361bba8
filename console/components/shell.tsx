import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { messages } from '../messages/shell.ts';
import { serviceName } from '../service.ts';
import { ColourSwitch } from './colour-switch.tsx';
import { OfflineBar } from './offline-bar.tsx';
import classes from './shell.module.css';

/** A place that the navigation leads to. */
export type NavEntry = { to: string; label: string };

const publicNav: NavEntry[] = [
  { to: '/', label: messages.nav.market },
  { to: '/leaderboard', label: messages.nav.leaderboard },
];

/** What is around every page. */
export function Shell() {
  const spoken = usePageChange();
  // The areas' pages hang on the route that this is drawn by, so that they come from outside.
  const { nav } = useRouter().options.context as { nav: NavEntry[] };
  return (
    <>
      <a className={classes.skip} href="#main" onClick={focusMain}>
        {messages.skip}
      </a>
      <OfflineBar />
      <header className={classes.header}>
        <div className={classes.bar}>
          <Link to="/" className={classes.brand} aria-label={messages.home(serviceName())}>
            <Mark />
            {serviceName()}
          </Link>
          <nav className={classes.nav} aria-label={messages.nav.label}>
            {[...publicNav, ...nav].map(({ to, label }) => (
              <Link key={to} to={to} className={classes.link} activeOptions={{ exact: to === '/' }}>
                {label}
              </Link>
            ))}
          </nav>
          <ColourSwitch />
        </div>
      </header>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className={classes.footer}>
        <p>{messages.footer.money}</p>
        <p>
          <a href="/docs">{messages.footer.reference}</a>
        </p>
      </footer>
      <div ref={spoken} className="only-read" role="status" />
    </>
  );
}

function Mark() {
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

/** Opening another page puts the focus on its heading and says its title; the first page has the browser for that. */
function usePageChange() {
  const spoken = useRef<HTMLDivElement>(null);
  const opened = useRef<string | null>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? null });
  useEffect(() => {
    if (path === null) return;
    const first = opened.current === null;
    const same = opened.current === path;
    opened.current = path;
    if (first || same) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    if (spoken.current) spoken.current.textContent = document.title;
  }, [path]);
  return spoken;
}
