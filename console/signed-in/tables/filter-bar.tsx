import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTyped } from '../../components/public.ts';
import { signedIn } from '../../messages/public.ts';
import classes from './filter-bar.module.css';

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

export function SearchField({ label, hint, value = '', onChange }: SearchFieldProps) {
  const [typed, setTyped] = useTyped(value, onChange);
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
