import { TextInput } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { wordsIn } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import { type Action, useAction } from '../../signed-in/public.ts';
import { rename } from './poster-session.ts';

const text = poster.account;

/** The name that agents and visitors see, with a dialog that changes it. */
export function OwnName({ name }: { name: string }) {
  const { ask, dialog } = useAction();
  const action: Action = {
    title: text.changeName,
    text: (
      <TextInput
        name="name"
        label={text.name}
        description={text.nameHint}
        defaultValue={name}
        minLength={3}
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
    ),
    confirm: text.saveName,
    run: (_, fields) => rename(wordsIn(fields, 'name')),
  };
  return (
    <span className="row loose">
      <span className="soft">{text.signedInAs({ name })}</span>
      <button type="button" className="plain" onClick={() => ask(action)}>
        <Pencil size={16} aria-hidden="true" />
        {text.changeName}
      </button>
      {dialog}
    </span>
  );
}
