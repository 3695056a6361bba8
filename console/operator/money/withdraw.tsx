import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { z } from 'zod';
import { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import { Money } from '../../components/values/public.ts';
import { capitalize, decimalText } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { checkValue, operatorStore, problemOf, useApiQuery } from '../area/public.ts';
import classes from './money.module.css';

const text = operator.payouts;
const EVERY_MS = 10_000;
const { amount_usdc: amount, recipient } = moneyOutOperations.withdrawRevenue.body.shape;
const FIELDS = [
  { name: 'amount_usdc', label: text.amount, schema: amount, toApi: decimalText, inputMode: 'decimal' },
  {
    name: 'recipient',
    label: text.recipient,
    schema: recipient,
    toApi: trimmed,
    placeholder: text.address,
    hint: text.recipientHint,
  },
] as const;

type Given = Record<(typeof FIELDS)[number]['name'], string>;

function trimmed(typed: string): string {
  return typed.trim();
}

export function withdrawAction(): Action {
  const given: Given = { amount_usdc: '', recipient: '' };
  // The id makes a repeated request safe: the money moves once.
  const withdrawalId = crypto.randomUUID();
  return {
    title: text.withdrawTitle,
    text: <Fields given={given} />,
    confirm: text.withdraw,
    reason: signedIn.reason,
    run: async (reason) => {
      for (const { name, label, schema } of FIELDS) checkValue(label, schema, given[name]);
      const body = { ...given, reason, withdrawal_id: withdrawalId };
      await operatorStore.api.call('POST /operator/withdrawals', { body });
      return text.withdrawn;
    },
  };
}

function Fields({ given }: { given: Given }) {
  return (
    <div className={classes.dialog}>
      <p>{text.withdrawText}</p>
      <Earned />
      {FIELDS.map((field, index) => (
        <Field
          key={field.name}
          {...field}
          isFirst={index === 0}
          onType={(typed) => {
            given[field.name] = field.toApi(typed);
          }}
        />
      ))}
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

type FieldProps = {
  label: string;
  schema: z.ZodType;
  /** Converts the typed text to the API's notation. */
  toApi: (typed: string) => string;
  inputMode?: 'decimal';
  placeholder?: string;
  hint?: string;
  /** The field that gets the focus when the dialog opens. */
  isFirst: boolean;
  onType: (typed: string) => void;
};

/** A field that shows its error after the user leaves it. */
function Field({ label, schema, toApi, inputMode, placeholder, hint, isFirst, onType }: FieldProps) {
  const [typed, setTyped] = useState('');
  const [left, setLeft] = useState(false);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      description={hint}
      required
      inputMode={inputMode}
      data-autofocus={isFirst || undefined}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onType(event.currentTarget.value);
      }}
      onBlur={() => setLeft(typed !== '')}
      error={left ? capitalize(problemOf(schema, toApi(typed)) ?? '') : null}
    />
  );
}
