import { Button, Modal, Textarea } from '@mantine/core';
import '@mantine/core/styles.layer.css';
import { type ReactNode, useState } from 'react';
import { messages } from '../../messages/public.ts';
import { styleNonce } from '../../styles/public.ts';
import classes from './confirm-dialog.module.css';
import { wordsFor } from './states.tsx';

// What keeps the page from scrolling behind a dialog writes an element of style, and looks for its nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

export type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  /** What will happen, with its amounts. */
  children: ReactNode;
  /** The verb of the button, e.g. `Pay 95 USDC`. */
  confirm: string;
  /** Whatever can't be undone, or costs somebody something. */
  destructive?: boolean;
  /** Set where a reason must be given; `onConfirm` gets it. */
  reason?: { label: string; maxLength: number };
  onConfirm: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

/** Asks before what can't be taken back. Stays open while it is under way, and says why when it fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);
  const close = () => {
    if (!busy) props.onClose();
  };
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      title={props.title}
      centered
      // A second header of the page, to who reads it by landmarks.
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': messages.confirm.cancel }}
    >
      <Question {...props} busy={busy} setBusy={setBusy} close={close} />
    </Modal>
  );
}

type QuestionProps = ConfirmDialogProps & { busy: boolean; setBusy: (busy: boolean) => void; close: () => void };

/** Inside of the dialog, so that it begins anew each time it opens. */
function Question({ children, confirm, destructive = false, reason, onConfirm, onClose, ...state }: QuestionProps) {
  const { busy, setBusy, close } = state;
  const [given, setGiven] = useState('');
  const [failure, setFailure] = useState<string | null>(null);

  async function act(event: { preventDefault(): void }) {
    event.preventDefault();
    if (reason && given.trim() === '') {
      setFailure(messages.confirm.reasonNeeded);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm(given.trim());
      onClose();
    } catch (error) {
      setFailure(wordsFor(error).text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void act(event)} className={classes.form}>
      <div>{children}</div>
      {reason ? (
        <Textarea
          label={reason.label}
          value={given}
          onChange={(event) => setGiven(event.currentTarget.value)}
          maxLength={reason.maxLength}
          autosize
          minRows={2}
          required
          data-autofocus
        />
      ) : null}
      {failure ? (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      ) : null}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close} disabled={busy}>
          {messages.confirm.cancel}
        </Button>
        <Button type="submit" loading={busy} {...(destructive ? { className: classes.destructive } : {})}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}
