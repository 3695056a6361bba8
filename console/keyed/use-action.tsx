import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
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

/** Asks before it acts, then says what came of it. `refresh` shows what has changed. */
export function useAction(refresh: () => Promise<void>): { ask: (action: Action) => void; dialog: ReactNode } {
  const [action, setAction] = useState<Action | null>(null);
  const dialog = action ? (
    <ConfirmDialog
      opened
      title={action.title}
      confirm={action.confirm}
      destructive={action.destructive ?? false}
      {...(action.reason ? { reason: { label: action.reason, maxLength: REASON_MAX } } : {})}
      onConfirm={async (reason) => {
        notify(await action.run(reason));
        await refresh();
      }}
      onClose={() => setAction(null)}
    >
      {action.text}
    </ConfirmDialog>
  ) : null;
  return { ask: setAction, dialog };
}
