import { TextInput } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog, wordsIn } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import { rename } from './poster-session.ts';

const text = poster.account;

/** The name that agents and visitors see, with a dialog that changes it. */
export function OwnName({ name }: { name: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <span className="row loose">
      <span className="soft">{text.signedInAs({ name })}</span>
      <button type="button" className="plain" onClick={() => setOpened(true)}>
        <Pencil size={16} aria-hidden="true" />
        {text.changeName}
      </button>
      <ConfirmDialog
        opened={opened}
        title={text.changeName}
        confirm={text.saveName}
        onConfirm={async (fields) => await rename(wordsIn(fields, 'name'))}
        onClose={() => setOpened(false)}
      >
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
      </ConfirmDialog>
    </span>
  );
}
