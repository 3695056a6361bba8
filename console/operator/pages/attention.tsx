import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useNow } from '../../api/public.ts';
import { shortUsdc, spanInWords } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import type { Overview } from '../area/operator-store.ts';
import classes from './pages.module.css';

const text = operator.overview;
const { attentionItems: words } = text;
const { decisions } = operatorDesk;
const UNCHECKED_MS = 2 * 3_600_000;
// The payment sweeper resolves nearly all unknown payments within seconds.
const UNKNOWN_MS = 5 * 60_000;
const LATE_SECONDS = 60;

type Item = { to: string; search?: Record<string, string>; hash?: string; what: string; bad?: true };

/** Lists what needs a decision of the operator, with links. */
export function Attention({ of }: { of: Overview }) {
  const items = itemsOf(of, useNow());
  const Icon = items.length === 0 ? CircleCheck : CircleAlert;
  return (
    <section className={`stack ${classes.attention}`} aria-label={text.attention} data-calm={items.length === 0}>
      <h2 className="row">
        <Icon size={22} aria-hidden="true" />
        {items.length === 0 ? text.nothing : text.attention}
      </h2>
      {items.length === 0 ? null : (
        <ul className="bullets">
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

function itemsOf(overview: Overview, now: number): Item[] {
  const found = [...moneyItems(overview, now), ...otherItems(overview)];
  return found.filter((each): each is Item => Boolean(each));
}

type Maybe = Item | false | undefined;

function moneyItems(
  { ledger_check: check, recovery_needed: recovery, payouts, payments }: Overview,
  now: number,
): Maybe[] {
  const books = { to: '/operator', hash: 'books' };
  const held = payouts.find(({ state }) => state === 'held');
  const unknownMs = payments.oldest_unknown_at === null ? 0 : now - Date.parse(payments.oldest_unknown_at);
  return [
    recovery !== null && { to: '/operator', hash: 'recovery', what: words.recovery, bad: true },
    check !== null && !(check.balanced && check.chain_matches) && { ...books, what: words.mismatch, bad: true },
    check !== null && now - Date.parse(check.checked_at) > UNCHECKED_MS && { ...books, what: words.unchecked },
    held && {
      to: '/operator/money/payouts',
      search: { state: 'held' },
      what: words.held({ amount: held.count, sum: shortUsdc(held.amount_micro) }),
    },
    unknownMs > UNKNOWN_MS && {
      to: '/operator/money',
      search: { state: 'settling' },
      what: words.unknown({ amount: payments.unknown, span: spanInWords(unknownMs) }),
      bad: true,
    },
  ];
}

function otherItems({ webhooks, emails, unclaimed_strays: strays, results_on_hold: onHold }: Overview): Maybe[] {
  const late = webhooks.oldest_undelivered_seconds;
  return [
    strays > 0 && {
      to: '/operator/money/strays',
      search: { state: 'unclaimed' },
      what: decisions.strays({ amount: strays }),
    },
    onHold > 0 && {
      to: '/operator/projects',
      search: { state: 'judging' },
      what: decisions.results({ amount: onHold }),
    },
    late > LATE_SECONDS && { to: '/operator/deliveries', what: words.late({ span: spanInWords(late * 1000) }) },
    emails.failed > 0 && {
      to: '/operator/deliveries/emails',
      search: { state: 'failed' },
      what: decisions.emails({ amount: emails.failed }),
    },
  ];
}
