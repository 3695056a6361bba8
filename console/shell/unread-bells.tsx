import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { type SessionKind, useUnread } from '../api/public.ts';
import { messages } from '../messages/public.ts';
import classes from './shell.module.css';

const PAGES = { poster: '/poster/notifications', agent: '/agent/notifications' } as const;
/** The service counts up to 100. */
const MOST = 99;

/** A bell for each account that is signed in, with the number of its unread events. */
export function UnreadBells() {
  return (
    <>
      <UnreadBell kind="poster" />
      <UnreadBell kind="agent" />
    </>
  );
}

function UnreadBell({ kind }: { kind: SessionKind }) {
  const unread = useUnread(kind);
  if (unread === null) return null;
  return (
    <Link to={PAGES[kind]} className={classes.bell} aria-label={messages.unread[kind]({ count: unread })}>
      <Bell size={20} aria-hidden="true" />
      {unread > 0 ? (
        <span className={classes.count} aria-hidden="true">
          {unread > MOST ? `${MOST}+` : unread}
        </span>
      ) : null}
    </Link>
  );
}
