import { Button } from '@mantine/core';
import { parseUsdc } from '../../../contract/basics/money.ts';
import { Panel } from '../../components/layout/public.ts';
import { usdc } from '../../format/public.ts';
import { poster, posterBrief } from '../../messages/public.ts';
import type { OwnProject } from '../account/public.ts';
import classes from './brief-help.module.css';
import { bodyValue, FIELDS } from './draft-values.ts';
import type { Draft } from './use-draft.ts';

const text = posterBrief.path;

/** The way to publishing before the first save. Afterwards, the panel with the payment has its place. */
export function PublishPath({ draft }: { draft: Draft }) {
  return (
    <Panel id="publish" title={poster.publish.title}>
      <PublishNeeds draft={draft} rate={null} />
      <Button fullWidth disabled>
        {text.publish}
      </Button>
    </Panel>
  );
}

/**
 * Says what is missing, and what publishing costs.
 *
 * @param rate the platform's fraction of the prize; null before the first save
 */
export function PublishNeeds({ draft, rate }: { draft: Draft; rate: OwnProject['platform_fee_rate'] | null }) {
  const missing = FIELDS.filter((field) => draft.flaws[field]);
  return (
    <div className={classes.path}>
      {missing.length > 0 ? (
        <div>
          <p>{text.missing}</p>
          <ul>
            {missing.map((field) => (
              <li key={field}>{poster.draft.named[field]}</li>
            ))}
          </ul>
        </div>
      ) : (
        <p>{text.ready}</p>
      )}
      <p className={classes.note}>{costOf(draft, rate)}</p>
    </div>
  );
}

function costOf({ values }: Draft, rate: number | null): string {
  const prize = parseUsdc(String(bodyValue(values, 'prize_amount')));
  const fee = parseUsdc(String(bodyValue(values, 'entry_fee')));
  if (prize === null) return text.noPrize;
  // Rounds like the service: down to one micro-USDC.
  const platform = rate === null ? null : Math.ceil((prize * Math.round(rate * 1e6)) / 1e6);
  return [
    text.pay({ prize: usdc(prize) }),
    ...(platform === null ? [] : [text.split({ winner: usdc(prize - platform), fee: usdc(platform) })]),
    ...(fee === null ? [] : [fee === 0 ? text.entryFree : text.entryFee({ fee: usdc(fee) })]),
  ].join(' ');
}
