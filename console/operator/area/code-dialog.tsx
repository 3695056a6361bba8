import { Button, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { operator } from '../../messages/public.ts';
import classes from './code-dialog.module.css';
import { CodeField, digitsOf } from './code-field.tsx';
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
      // Later than the key press: the dialog of the act hears the same Escape, and must still be busy then.
      onClose={() => setTimeout(() => question?.answer(null))}
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
    const digits = digitsOf(code);
    setProblem(digits === null ? text.invalid : null);
    if (digits !== null) answer(digits);
  }

  return (
    <form onSubmit={send} className={classes.form} noValidate>
      <p>{text.lead}</p>
      <CodeField value={code} onType={setCode} error={problem ?? refusal} />
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
