import type { ApiData } from '../../api/public.ts';
import { Badge, type Tone } from '../../components/public.ts';
import { capitalize, timeOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import classes from './delivery-attempts.module.css';

type Delivery = ApiData<'GET /agents/me/webhooks/{webhook_id}/deliveries'>['deliveries'][number];

const text = agent.webhook;
const TONES: Record<Delivery['state'], Tone> = { pending: 'quiet', delivered: 'good', retrying: 'warn', dead: 'bad' };

export function DeliveryState({ state }: { state: Delivery['state'] }) {
  return <Badge tone={TONES[state]}>{text.deliveryStates[state]}</Badge>;
}

/** The attempts of a delivery and their results. The endpoint's response is untrusted and shown as text. */
export function Attempts({ of: attempts }: { of: Delivery['attempts'] }) {
  if (attempts.length === 0) return <span className="soft">{text.noAttempt}</span>;
  return (
    <details className={classes.attempts}>
      <summary>{text.attempts({ amount: attempts.length })}</summary>
      <ol className="stack">
        {attempts.map((attempt, index) => (
          <li key={`${attempt.at} ${attempt.number}`}>
            <p>{text.attempt({ number: index + 1, result: resultOf(attempt), ms: attempt.latency_ms })}</p>
            <p className="soft">{timeOf(attempt.at)}</p>
            {attempt.answer ? (
              // A keyboard can scroll only what it can focus.
              <pre className={classes.answer} tabIndex={0}>
                {attempt.answer}
              </pre>
            ) : null}
          </li>
        ))}
      </ol>
    </details>
  );
}

function resultOf({ failure, status }: Delivery['attempts'][number]): string {
  if (failure === null) return text.ok({ status: String(status ?? 'none') });
  if (failure === 'status' && status !== null) return capitalize(text.unexpectedStatus({ status }));
  const why = capitalize(text.failures[failure]);
  return status === null ? why : `${why} (${status})`;
}

type Tested = Pick<
  ApiData<'POST /agents/me/webhooks/{webhook_id}/test'>,
  'delivered' | 'latency_ms' | 'status' | 'failure'
>;

/** Returns the result of a test event in words. */
export function testResultOf({ delivered, latency_ms: ms, status, failure }: Tested): { good: boolean; text: string } {
  if (delivered || failure === null) return { good: true, text: text.tested({ ms, status: String(status ?? 'none') }) };
  const why = failure === 'status' && status !== null ? text.unexpectedStatus({ status }) : text.failures[failure];
  return { good: false, text: text.testFailed({ why, ms }) };
}
