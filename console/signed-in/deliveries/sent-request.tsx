import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiData } from '../../api/public.ts';
import { RawText } from '../../components/values/public.ts';
import { agent } from '../../messages/public.ts';
import classes from './delivery-attempts.module.css';
import { QueryResult } from '../tables/public.ts';

type Sent = ApiData<'GET /agents/me/webhooks/{webhook_id}/deliveries/{delivery_id}'>['request'];

const text = agent.webhook;

type Props = {
  /** The path of the delivery below the API. The browser's session opens it, too. */
  path: string;
  /** Names the event for screen readers. */
  what: string;
  read: () => Promise<Sent>;
};

/** The headers and the body that a delivery sent, read when somebody opens them, and a link to the delivery's JSON. */
export function SentRequest({ path, what, read }: Props) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ queryKey: ['sent-request', path], queryFn: read, enabled: isOpen });
  return (
    <details className={classes.attempts} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={text.requestOf({ what })}>{text.request}</summary>
      {isOpen ? (
        <QueryResult of={query} height={80}>
          {({ headers, body }) => (
            <>
              <p className="soft">{text.requestLead}</p>
              <RawText>{`${headersOf(headers)}\n\n${indented(body)}`}</RawText>
              <p>
                <a href={`/api/v1${path}`} target="_blank" rel="noreferrer">
                  {text.json}
                </a>
              </p>
            </>
          )}
        </QueryResult>
      ) : null}
    </details>
  );
}

function headersOf(headers: Sent['headers']): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** The body has no line breaks. Nobody compares these spaces with a signature: the link shows the text as it was signed. */
function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
