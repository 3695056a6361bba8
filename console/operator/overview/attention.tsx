import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useNow } from '../../api/public.ts';
import { shortUsdc, spanInWords } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import type { Overview } from '../area/public.ts';
import classes from './attention.module.css';

const text = operator.overview;
const UNCHECKED_MS = 2 * 3_600_000;
// The payment sweeper resolves nearly all unknown payments within seconds.
const UNKNOWN_MS = 5 * 60_000;
const LATE_SECONDS = 60;

const books = { to: '/operator', hash: 'books' };

type Waiting = { to: string; search?: Record<string, string>; hash?: string; what: string; bad?: true };

/** Lists what needs the operator's attention, with links. */
export function Attention({ of }: { of: Overview }) {
  const now = useNow();
  const waiting = waitingIn(of, now);
  return (
    <section className={classes.attention} aria-label={text.attention} data-calm={waiting.length === 0}>
      <h2 className={classes.title}>
        {waiting.length === 0 ? (
          <CircleCheck size={22} aria-hidden="true" />
        ) : (
          <CircleAlert size={22} aria-hidden="true" />
        )}
        {waiting.length === 0 ? text.nothing : text.attention}
      </h2>
      {waiting.length === 0 ? null : (
        <ul className={classes.list}>
          {waiting.map(({ what, bad, ...place }) => (
            <li key={what} data-bad={bad}>
              <Link {...place}>{what}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function waitingIn(
  { ledger_check: check, payouts, payments, open_flags: flags, webhooks, process }: Overview,
  now: number,
): Waiting[] {
  const held = payouts.find(({ state }) => state === 'held');
  const unknownMs = payments.oldest_unknown_at === null ? 0 : now - Date.parse(payments.oldest_unknown_at);
  const failures = process.failures.reduce((sum, { count }) => sum + count, 0);
  const late = webhooks.oldest_undelivered_seconds;
  const found: (Waiting | false | undefined)[] = [
    check !== null && !(check.balanced && check.chain_matches) && { ...books, what: text.waits.mismatch, bad: true },
    check !== null && now - Date.parse(check.checked_at) > UNCHECKED_MS && { ...books, what: text.waits.unchecked },
    held && { to: '/operator/payouts', what: text.waits.held(held.count, shortUsdc(held.amount_micro)) },
    unknownMs > UNKNOWN_MS && {
      to: '/operator/payments',
      what: text.waits.unknown(payments.unknown, spanInWords(unknownMs)),
      bad: true,
    },
    flags > 0 && { to: '/operator/flags', search: { decision: 'open' }, what: text.waits.flags(flags) },
    late > LATE_SECONDS && { to: '/operator/deliveries', what: text.waits.late(spanInWords(late * 1000)) },
    failures > 0 && { to: '/operator', hash: 'answers', what: text.waits.failing(failures) },
  ];
  return found.filter((each): each is Waiting => Boolean(each));
}
