import { TextInput } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import { rename } from './poster-session.ts';

const text = poster.account;
const LEAST = 3;

/** The name that agents and visitors see, with a dialog that changes it. */
export function OwnName({ name }: { name: string }) {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState(name);
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
        onConfirm={async () => await rename(typed)}
        onClose={() => setOpened(false)}
      >
        {(setReady) => (
          <TextInput
            label={text.name}
            description={text.nameHint}
            value={typed}
            maxLength={100}
            data-autofocus
            onChange={({ currentTarget: { value } }) => {
              setTyped(value);
              setReady(value.trim().length >= LEAST);
            }}
          />
        )}
      </ConfirmDialog>
    </span>
  );
}
