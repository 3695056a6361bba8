import { Button } from '@mantine/core';
import { parseUsdc } from '../../../contract/basics/money.ts';
import { Money } from '../../components/values/public.ts';
import { poster } from '../../messages/public.ts';
import classes from './draft-page.module.css';
import { bodyValue } from './draft-values.ts';
import type { Draft } from './use-draft.ts';

/** In narrow windows, where the costs and the publish panel come after the form: the cost, and the way to the panel. */
export function PublishLine({ draft }: { draft: Draft }) {
  const prize = parseUsdc(String(bodyValue(draft.values, 'prize_amount')));
  return (
    <div className={classes.line}>
      <p>
        <span className="soft">{poster.cost.prize}</span>{' '}
        <strong>{prize === null ? '–' : <Money micro={prize} />}</strong>
      </p>
      <Button onClick={showPanel}>{poster.publish.title}</Button>
    </div>
  );
}

function showPanel(): void {
  const heading = document.getElementById('publish');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: 'center' });
}
