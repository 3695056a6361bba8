import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { keys } from '../messages/public.ts';
import type { KeyedAccount } from './account.ts';

/** The choices of a new key. */
export type NewKey<Scope extends string> = { name: string; scope: Scope };

type NewKeyFieldsProps<Scope extends string> = {
  account: Pick<KeyedAccount<Scope>, 'text' | 'scopes'>;
  onChange: (chosen: NewKey<Scope>) => void;
};

/** Asks for the name and the scope of a new key. */
export function NewKeyFields<Scope extends string>({ account: { text, scopes }, onChange }: NewKeyFieldsProps<Scope>) {
  // The least scope, so that nobody gives away more by mistake.
  const [first] = scopes;
  const [chosen, setChosen] = useState<NewKey<Scope>>({ name: '', scope: first });
  const change = (changed: Partial<NewKey<Scope>>) => {
    const next = { ...chosen, ...changed };
    setChosen(next);
    onChange(next);
  };
  return (
    <div className="stack">
      <p>{text.limit}</p>
      <TextInput
        label={keys.create.name}
        description={text.nameHint}
        maxLength={100}
        value={chosen.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        data-autofocus
      />
      <NativeSelect
        label={keys.create.scope}
        description={text.meanings[chosen.scope]}
        data={scopes.map((value) => ({ value, label: text.scopes[value] }))}
        value={chosen.scope}
        onChange={(event) => change({ scope: scopes.find((each) => each === event.currentTarget.value) ?? first })}
      />
    </div>
  );
}
