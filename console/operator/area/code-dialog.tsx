import { Button, Modal, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { operator } from '../../messages/public.ts';
import classes from './code-dialog.module.css';
import { type CodeQuestion, useCodeQuestion } from './codes.ts';

const text = operator.code;
/** Above the dialog of the act that needs the code. */
const LAYER = 400;

/** Asks for a code whenever an act needs one. "Go back" returns to the act, which has not happened. */
export function CodeDialog() {
  const question = useCodeQuestion();
  // A sign-out ends the act too.
  useEffect(() => () => question?.answer(null), [question]);
  return (
    <Modal
      opened={question !== null}
      onClose={() => question?.answer(null)}
      title={text.title}
      centered
      size="sm"
      zIndex={LAYER}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': text.cancel }}
    >
      {question === null ? null : <CodeForm question={question} />}
    </Modal>
  );
}

function CodeForm({ question: { refusal, isSending, answer } }: { question: CodeQuestion }) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  // The refused code is gone: the next one replaces it.
  useEffect(() => {
    if (refusal !== null) setCode('');
  }, [refusal]);

  function send(event: { preventDefault(): void }) {
    event.preventDefault();
    const digits = code.replaceAll(/\s/g, '');
    setProblem(/^\d{6}$/.test(digits) ? null : text.invalid);
    if (/^\d{6}$/.test(digits)) answer(digits);
  }

  return (
    <form onSubmit={send} className={classes.form} noValidate>
      <p>{text.lead}</p>
      <TextInput
        label={text.label}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
        data-autofocus
        error={problem ?? refusal}
        classNames={{ input: classes.code ?? '' }}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => answer(null)} disabled={isSending}>
          {text.cancel}
        </Button>
        <Button type="submit" loading={isSending}>
          {text.send}
        </Button>
      </div>
    </form>
  );
}
