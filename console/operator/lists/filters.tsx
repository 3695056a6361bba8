import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { decimalText, numberText } from '../../format/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { Choice, SearchField } from '../../signed-in/public.ts';
import classes from './desk-list.module.css';

/** `name` is the parameter's name in the address and in the request. */
export type Filter = { name: string; label: string } & (
  | { names: Readonly<Record<string, string>> }
  | { hint: string }
  | { range: 'day' | 'amount' }
  /** A filter that only links of other pages set. The user can see and remove it. */
  | { linked: string }
);

const { filters: words } = operatorDesk;

/** The times of every list, as UTC days. */
export const DAYS: readonly Filter[] = [
  { name: 'since', label: words.since, range: 'day' },
  { name: 'before', label: words.before, range: 'day' },
];
/** The times and the amounts of a list of money. */
export const AMOUNTS: readonly Filter[] = [
  ...DAYS,
  { name: 'min_usdc', label: words.least, range: 'amount' },
  { name: 'max_usdc', label: words.most, range: 'amount' },
];
/** The lists to which the pages of a project, an agent, and a poster link. */
export const OF_PROJECT: Filter = { name: 'project_id', label: operatorDesk.parties.project, linked: words.oneProject };
export const OF_AGENT: Filter = { name: 'agent_id', label: words.agent, linked: words.oneAgent };
export const OF_POSTER: Filter = { name: 'poster_id', label: words.poster, linked: words.onePoster };
/** The filters of every list of money. */
export const OF_MONEY: readonly Filter[] = [OF_PROJECT, OF_AGENT, OF_POSTER, ...AMOUNTS];

type FilterFieldProps = { filter: Filter; value: string | undefined; onChange: (value: string) => void };

export function FilterField({ filter, ...field }: FilterFieldProps) {
  const { label } = filter;
  if ('range' in filter) return <RangeField {...field} label={label} of={filter.range} />;
  if ('hint' in filter) return <SearchField {...field} label={label} hint={filter.hint} />;
  const { value = '' } = field;
  if ('linked' in filter && value === '') return null;
  const names = 'linked' in filter ? { [value]: filter.linked } : withGiven(filter.names, value);
  return (
    <Choice
      {...field}
      label={label}
      options={Object.entries(names).map(([key, name]) => ({ value: key, label: name }))}
    />
  );
}

/** A link may ask for several states at once, which the choice shows as they are. */
function withGiven(names: Readonly<Record<string, string>>, value: string): Record<string, string> {
  if (value === '' || value in names) return names;
  const asked = value.split(',').map((each) => names[each] ?? each);
  return { [value]: asked.join(', '), ...names };
}

const TYPING_MS = 400;
// While a year is typed, the browser gives dates of the first centuries.
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '9999-12-31';
const AMOUNT = /^\d{1,15}(?:\.\d{1,6})?$/;

const RANGES = {
  day: {
    input: { type: 'date', min: FIRST_DAY, max: LAST_DAY },
    shown: (value: string) => value,
    given: (typed: string) => typed,
    isWhole: (day: string) => day === '' || (day >= FIRST_DAY && day <= LAST_DAY),
  },
  // Typed as in the language of the page. The address has a decimal point.
  amount: {
    input: { inputMode: 'decimal', maxLength: 30 },
    // `numberText` would show a hand-written address such as `1e5` or `x` as another number.
    shown: (value: string) => (AMOUNT.test(value) ? numberText(Number(value)) : value),
    given: decimalText,
    isWhole: (amount: string) => amount === '' || AMOUNT.test(amount),
  },
} as const;

type RangeFieldProps = Omit<FilterFieldProps, 'filter'> & { label: string; of: keyof typeof RANGES };

/** Changes the address when the user stops typing, and follows it if something else changes it (Back, clear). */
function RangeField({ label, value = '', onChange, of }: RangeFieldProps) {
  const { input, shown, given, isWhole } = RANGES[of];
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
  return (
    <TextInput
      {...input}
      className={classes.range}
      label={label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
