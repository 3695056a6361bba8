import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useNow } from '../../api/public.ts';
import { Facts, Section, Badge, Money, RelativeTime, useWork } from '../../components/public.ts';
import { count, spanInWords } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { operatorStore, type Overview, useRefresh } from '../area/operator-store.ts';

const text = operator.overview;
const OLD_MS = 60_000;

/** The latest ledger check, with a button for a new check, which reads the whole ledger. */
export function Books({ of: check }: { of: Overview['ledger_check'] }) {
  const refresh = useRefresh();
  const { busy, failure, run } = useWork();
  const [result, setResult] = useState<string | null>(null);
  const checkNow = async () => {
    setResult(text.checking);
    const { balanced, chain_matches: matches } = await operatorStore.api.call('GET /operator/ledger', {});
    setResult(balanced && matches ? text.checked : text.problems);
    await refresh();
  };

  // Opening the page checks books that were not checked within the last minute, once.
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    if (check === null || Date.now() - Date.parse(check.checked_at) > OLD_MS) void run(checkNow);
  });

  return (
    <Section
      id="books"
      title={text.books}
      lead={text.booksLead}
      actions={
        <Button variant="default" size="sm" loading={busy} onClick={() => void run(checkNow)}>
          {text.check}
        </Button>
      }
    >
      {check === null ? <p>{text.unchecked}</p> : <Found of={check} />}
      <p role="status" className="soft">
        {failure ?? result}
      </p>
    </Section>
  );
}

function Found({ of: check }: { of: NonNullable<Overview['ledger_check']> }) {
  const age = useNow() - Date.parse(check.checked_at);
  const isOld = age > OLD_MS;
  // An old good result says nothing about now; a bad one stays bad until a check is good.
  const badge = (good: boolean, yes: string, no: string) => (
    <Badge tone={good ? (isOld ? 'quiet' : 'good') : 'bad'}>{good ? yes : no}</Badge>
  );
  const amount = (micro: number | null) => (micro === null ? '–' : <Money micro={micro} />);
  return (
    <>
      <p className="row">
        {badge(check.balanced, text.balanced, text.notBalanced)}
        {badge(check.chain_matches, text.matches, text.notMatches)}
      </p>
      {isOld ? <p className="soft">{operatorDesk.books.old({ span: spanInWords(age) })}</p> : null}
      {check.problems.length > 0 ? (
        <ul className="bullets bad">
          {check.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      <Facts
        facts={[
          { label: text.byBooks, value: amount(check.treasury_micro) },
          { label: text.onChain, value: amount(check.chain_micro) },
          { label: text.checkedAt, value: <RelativeTime at={check.checked_at} /> },
          { label: text.block, value: count(check.block) },
        ]}
      />
    </>
  );
}
