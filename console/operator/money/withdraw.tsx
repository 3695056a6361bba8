import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import { Money } from '../../components/values/public.ts';
import { capitalize, decimalText } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { checkValue, operatorStore, problemOf, useApiQuery } from '../area/public.ts';
import classes from './money.module.css';

const text = operator.payouts;
const EVERY_MS = 10_000;
const { amount_usdc: amountSchema } = moneyOutOperations.withdrawRevenue.body.shape;

/** Withdraws revenue to the address of the settings. */
export function withdrawAction(): Action {
  let amount = '';
  // The id makes a repeated request safe: the money moves once.
  const withdrawalId = crypto.randomUUID();
  return {
    title: text.withdrawTitle,
    text: <Fields onType={(typed) => (amount = decimalText(typed))} />,
    confirm: text.withdraw,
    reason: signedIn.reason,
    run: async (reason) => {
      checkValue(text.amount, amountSchema, amount);
      const body = { amount_usdc: amount, reason, withdrawal_id: withdrawalId };
      await operatorStore.api.call('POST /operator/withdrawals', { body });
      return text.withdrawn;
    },
  };
}

function Fields({ onType }: { onType: (typed: string) => void }) {
  const [typed, setTyped] = useState('');
  const [left, setLeft] = useState(false);
  return (
    <div className={classes.dialog}>
      <p>{text.withdrawText}</p>
      <Earned />
      <TextInput
        label={text.amount}
        required
        inputMode="decimal"
        data-autofocus
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          onType(event.currentTarget.value);
        }}
        onBlur={() => setLeft(typed !== '')}
        error={left ? capitalize(problemOf(amountSchema, decimalText(typed)) ?? '') : null}
      />
    </div>
  );
}

function Earned() {
  const { data } = useApiQuery('GET /operator/overview', { query: { days: '7' } }, EVERY_MS);
  return (
    <p>
      {text.earned} {data ? <Money micro={data.held.revenue_micro} /> : '–'}
    </p>
  );
}
