import { Button, Modal, Textarea } from '@mantine/core';
import '@mantine/core/styles.layer.css';
import { type ReactNode, useEffect, useState } from 'react';
import { messages } from '../../messages/public.ts';
import { styleNonce } from '../../styles/public.ts';
import classes from './confirm-dialog.module.css';
import { describeError, Failure } from './page-states.tsx';

// Mantine's scroll lock inserts a `style` element and reads its CSP nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

export type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  /** The consequences, with amounts, and fields if there is something to choose. */
  children: ReactNode;
  /** The button's label, for example `Pay 95 USDC`. */
  confirm: string;
  /** For actions that cannot be undone or that cost someone money. */
  destructive?: boolean;
  /** Asks for a reason, which is required. */
  reason?: { label: string; maxLength: number };
  /** Gets the values of the fields by name, and the reason among them. */
  onConfirm: (fields: FormData) => Promise<unknown>;
  onClose: () => void;
};

/** Asks for confirmation. The dialog stays open while the action runs, and shows the error if the action fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);
  const close = () => {
    if (!busy) props.onClose();
  };
  // The page behind the dialog takes no focus and no click.
  useEffect(() => {
    document.querySelector('#console')?.toggleAttribute('inert', props.opened);
    return () => document.querySelector('#console')?.removeAttribute('inert');
  }, [props.opened]);
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      title={props.title}
      centered
      // Without this role, screen readers announce a second page header.
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': messages.confirm.cancel }}
    >
      <Question {...props} busy={busy} setBusy={setBusy} close={close} />
    </Modal>
  );
}

type QuestionProps = ConfirmDialogProps & { busy: boolean; setBusy: (busy: boolean) => void; close: () => void };

/** A component of its own inside the dialog, so its state resets each time the dialog opens. */
function Question({ children, confirm, destructive = false, reason, onConfirm, onClose, ...state }: QuestionProps) {
  const { busy, setBusy, close } = state;
  const [failure, setFailure] = useState<string | null>(null);

  async function act(event: { preventDefault(): void; currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    if (reason && wordsIn(fields, 'reason') === '') {
      setFailure(messages.confirm.reasonNeeded);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm(fields);
      onClose();
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void act(event)} className="stack">
      <div>{children}</div>
      {reason ? (
        <Textarea
          name="reason"
          label={reason.label}
          maxLength={reason.maxLength}
          autosize
          minRows={2}
          required
          data-autofocus
        />
      ) : null}
      <Failure>{failure}</Failure>
      <div className={`row ${classes.buttons}`}>
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

/** Returns what the user typed into a field of the dialog. */
export function wordsIn(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
