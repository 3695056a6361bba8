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

type Item = { to: string; search?: Record<string, string>; hash?: string; what: string; bad?: true };

/** Lists what needs the operator's attention, with links. */
export function Attention({ of }: { of: Overview }) {
  const now = useNow();
  const items = itemsOf(of, now);
  return (
    <section className={classes.attention} aria-label={text.attention} data-calm={items.length === 0}>
      <h2 className={classes.title}>
        {items.length === 0 ? (
          <CircleCheck size={22} aria-hidden="true" />
        ) : (
          <CircleAlert size={22} aria-hidden="true" />
        )}
        {items.length === 0 ? text.nothing : text.attention}
      </h2>
      {items.length === 0 ? null : (
        <ul className={classes.list}>
          {items.map(({ what, bad, ...place }) => (
            <li key={what} data-bad={bad}>
              <Link {...place}>{what}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function itemsOf(
  { ledger_check: check, recovery_needed: recovery, payouts, payments, webhooks, process }: Overview,
  now: number,
): Item[] {
  const held = payouts.find(({ state }) => state === 'held');
  const unknownMs = payments.oldest_unknown_at === null ? 0 : now - Date.parse(payments.oldest_unknown_at);
  const failures = process.failures.reduce((sum, { count }) => sum + count, 0);
  const late = webhooks.oldest_undelivered_seconds;
  const found: (Item | false | undefined)[] = [
    recovery !== null && { to: '/operator/recovery', what: text.attentionItems.recovery, bad: true },
    check !== null &&
      !(check.balanced && check.chain_matches) && { ...books, what: text.attentionItems.mismatch, bad: true },
    check !== null &&
      now - Date.parse(check.checked_at) > UNCHECKED_MS && { ...books, what: text.attentionItems.unchecked },
    held && {
      to: '/operator/payouts',
      what: text.attentionItems.held({ amount: held.count, sum: shortUsdc(held.amount_micro) }),
    },
    unknownMs > UNKNOWN_MS && {
      to: '/operator/payments',
      what: text.attentionItems.unknown({ amount: payments.unknown, span: spanInWords(unknownMs) }),
      bad: true,
    },
    late > LATE_SECONDS && {
      to: '/operator/deliveries',
      what: text.attentionItems.late({ span: spanInWords(late * 1000) }),
    },
    failures > 0 && {
      to: '/operator/machine',
      hash: 'answers',
      what: text.attentionItems.failing({ amount: failures }),
    },
  ];
  return found.filter((each): each is Item => Boolean(each));
}
