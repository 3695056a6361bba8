import { Link, useRouterState } from '@tanstack/react-router';
import { Menu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useHasSession } from '../api/public.ts';
import { messages } from '../messages/public.ts';
import classes from './navigation.module.css';

type NavLink = { to: string; label: string };
/** A link of the main navigation. `own` takes its place while there is a poster's session. */
export type NavEntry = NavLink & { own?: NavLink };

const MARKET: NavEntry = { to: '/', label: messages.nav.market };
const LEADERBOARD: NavEntry = { to: '/leaderboard', label: messages.nav.leaderboard };

/** The main navigation: a row of links or, in narrow windows, a menu that opens below the header. */
export function Navigation({ entries }: { entries: NavEntry[] }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isPoster = useHasSession('poster');
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`round ${classes.button}`}
        aria-expanded={open}
        aria-controls="navigation"
        onClick={() => setOpen(!open)}
      >
        {open ? <X size={22} aria-hidden="true" /> : <Menu size={22} aria-hidden="true" />}
        <span className="only-read">{open ? messages.nav.closeMenu : messages.nav.menu}</span>
      </button>
      <nav id="navigation" className={classes.nav} data-open={open} aria-label={messages.nav.label}>
        {[MARKET, ...entries.map(({ own, ...entry }) => (isPoster && own) || entry), LEADERBOARD].map(
          ({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={classes.link}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              onClick={() => setOpen(false)}
            >
              {label}
            </Link>
          ),
        )}
      </nav>
    </>
  );
}
