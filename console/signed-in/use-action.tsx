import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../components/feedback/public.ts';
import { notify } from './notices.tsx';

const REASON_MAX = 500;

export type Action = {
  title: string;
  /** What will happen. */
  text: ReactNode;
  /** The verb of the button. */
  confirm: string;
  destructive?: boolean;
  /** Set where a reason is asked for: what the field is called. */
  reason?: string;
  /** Answers what came of it, which is then said. */
  run: (reason: string) => Promise<string>;
};

const NOTHING: Action = { title: '', text: null, confirm: '', run: () => Promise.resolve('') };

/** Asks before it acts, then says what came of it. `refresh` shows what has changed. */
export function useAction(refresh: () => Promise<void>): { ask: (action: Action) => void; dialog: ReactNode } {
  // The dialog is there before it is opened and after it was closed: so it knows where the focus was, and gives it back.
  const [action, setAction] = useState(NOTHING);
  const [opened, setOpened] = useState(false);
  const dialog = (
    <ConfirmDialog
      opened={opened}
      title={action.title}
      confirm={action.confirm}
      destructive={action.destructive ?? false}
      {...(action.reason ? { reason: { label: action.reason, maxLength: REASON_MAX } } : {})}
      onConfirm={async (reason) => {
        notify(await action.run(reason));
        await refresh();
      }}
      onClose={() => setOpened(false)}
    >
      {action.text}
    </ConfirmDialog>
  );
  const ask = (asked: Action) => {
    setAction(asked);
    setOpened(true);
  };
  return { ask, dialog };
}
