import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { signedIn } from '../../messages/public.ts';
import classes from './filter-bar.module.css';

const TYPING_MS = 300;

/** Filters above a list. */
export function FilterBar({
  filtered,
  onClear,
  children,
}: {
  filtered: boolean;
  onClear: () => void;
  children: ReactNode;
}) {
  return (
    <search className={`row ${classes.bar}`} aria-label={signedIn.filter}>
      {children}
      {filtered ? (
        <button type="button" className="plain small" onClick={onClear}>
          {signedIn.clear}
        </button>
      ) : null}
    </search>
  );
}

type ChoiceProps = {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
  /** Label of the empty choice. */
  any?: string;
};

export function Choice({ label, value = '', onChange, options, any = signedIn.all }: ChoiceProps) {
  return (
    <NativeSelect
      className={classes.choice}
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: any }, ...options]}
    />
  );
}

type SearchFieldProps = { label: string; hint?: string; value: string | undefined; onChange: (value: string) => void };

/** Searches when the user stops typing. Follows `value` if something else changes it (Back, clear). */
export function SearchField({ label, hint, value = '', onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <TextInput
      className={classes.search}
      type="search"
      label={label}
      placeholder={hint}
      maxLength={100}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
