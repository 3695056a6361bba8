import { TextInput } from '@mantine/core';
import { operator } from '../../messages/public.ts';
import classes from './code-dialog.module.css';

type CodeFieldProps = { label?: string; error: string | null; onType: (code: string) => void; value?: string };

/** A field for a code of an authenticator app, which often shows a space in its middle. */
export function CodeField({ label = operator.code.label, error, onType, ...value }: CodeFieldProps) {
  return (
    <TextInput
      {...value}
      label={label}
      onChange={(event) => onType(event.currentTarget.value)}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      required
      data-autofocus
      error={error}
      classNames={{ input: classes.code ?? '' }}
    />
  );
}

/** Returns the six digits of a typed code; null if it has others. */
export function digitsOf(typed: string): string | null {
  const digits = typed.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}
