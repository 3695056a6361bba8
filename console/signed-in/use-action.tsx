import { type ReactNode, useState } from 'react';
import { ConfirmDialog, type ConfirmDialogProps, wordsIn } from '../components/public.ts';
import { type Notice, notify } from './notices.tsx';

const REASON_MAX = 500;

export type Action = {
  title: string;
  /** The consequences of the action. */
  text: ConfirmDialogProps['children'];
  /** The button's label. */
  confirm: string;
  destructive?: boolean;
  /** Asks for a reason; the value is the field's label. */
  reason?: string;
  /** Performs the action with the values of the fields in `text`. Returns the message to show, if there is one. */
  run: (reason: string, fields: FormData) => Promise<Notice | string | void>;
};

const NOTHING: Action = { title: '', text: null, confirm: '', run: () => Promise.resolve() };

/** Asks for confirmation, performs an action, shows its result, and calls `refresh` to reload what changed. */
export function useAction(refresh?: () => Promise<void>): { ask: (action: Action) => void; dialog: ReactNode } {
  // The dialog stays mounted while closed, so it can return the focus to the element that had it before.
  const [action, setAction] = useState(NOTHING);
  const [opened, setOpened] = useState(false);
  const dialog = (
    <ConfirmDialog
      opened={opened}
      title={action.title}
      confirm={action.confirm}
      destructive={action.destructive ?? false}
      {...(action.reason ? { reason: { label: action.reason, maxLength: REASON_MAX } } : {})}
      onConfirm={async (fields) => {
        const message = await action.run(wordsIn(fields, 'reason'), fields);
        if (message) notify(message);
        await refresh?.();
      }}
      onClose={() => setOpened(false)}
    >
      {action.text}
    </ConfirmDialog>
  );
  const ask = (next: Action) => {
    setAction(next);
    setOpened(true);
  };
  return { ask, dialog };
}
