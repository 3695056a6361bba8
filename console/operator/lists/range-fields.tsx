import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { decimalText, numberText } from '../../format/public.ts';
import classes from './range-fields.module.css';

type RangeFieldProps = { label: string; value: string | undefined; onChange: (value: string) => void };

const TYPING_MS = 400;
// While a year is typed, the browser gives dates of the first centuries.
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '9999-12-31';
const AMOUNT = /^\d{1,15}(?:\.\d{1,6})?$/;

/** A day of the calendar, by UTC. The browser writes it as its user does; the address has YYYY-MM-DD. */
export function DayField(props: RangeFieldProps) {
  const { typed, setTyped } = useTyped({ ...props, shown: same, given: same, isWhole: isDay });
  return (
    <TextInput
      className={classes.range}
      type="date"
      label={props.label}
      min={FIRST_DAY}
      max={LAST_DAY}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

/** An amount in USDC, typed as in the language of the page. The address has a decimal point. */
export function AmountField(props: RangeFieldProps) {
  const { typed, setTyped } = useTyped({ ...props, shown: localAmount, given: decimalText, isWhole: isAmount });
  return (
    <TextInput
      className={classes.range}
      inputMode="decimal"
      label={props.label}
      maxLength={30}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

function isDay(day: string): boolean {
  return day === '' || (day >= FIRST_DAY && day <= LAST_DAY);
}

function isAmount(amount: string): boolean {
  return amount === '' || AMOUNT.test(amount);
}

function same(value: string): string {
  return value;
}

/** `numberText` would show a hand-written address such as `1e5` or `x` as another number. */
function localAmount(value: string): string {
  return AMOUNT.test(value) ? numberText(Number(value)) : value;
}

type Typed = RangeFieldProps & {
  /** How the field shows a value of the address, and which value it gives. */
  shown: (value: string) => string;
  given: (typed: string) => string;
  /** Whether a value can go into the address, or is still being typed. */
  isWhole: (value: string) => boolean;
};

/** Changes the address when the user stops typing, and follows it if something else changes it (Back, clear). */
function useTyped({ value = '', onChange, shown, given, isWhole }: Typed) {
  const [typed, setTyped] = useState(shown(value));
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (given(typed.trim()) !== value) setTyped(shown(value));
  }
  useEffect(() => {
    const next = given(typed.trim());
    if (next === value || !isWhole(next)) return;
    const timer = setTimeout(() => onChange(next), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange, given, isWhole]);
  return { typed, setTyped };
}
