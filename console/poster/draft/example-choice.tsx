import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/public.ts';
import { posterBrief } from '../../messages/public.ts';
import classes from './brief-help.module.css';
import { type Example, EXAMPLES, TITLE_FIELD } from './examples.ts';
import type { Draft } from './use-draft.ts';

const text = posterBrief.examples;

/** Examples of briefs. Each fills in the texts of the form. */
export function ExampleChoice({ draft, opened }: { draft: Draft; opened: boolean }) {
  const [replacing, setReplacing] = useState<Example | null>(null);
  const { title, description, requirements } = draft.values;
  const fill = (example: Example) => {
    draft.fill(example.values);
    const field = document.getElementById(TITLE_FIELD);
    field?.scrollIntoView({ block: 'center' });
    field?.focus();
  };
  const hasTexts = [title, description, requirements].some((each) => each.trim() !== '');
  return (
    <details className={classes.help} open={opened}>
      <summary>{text.title}</summary>
      <p className="soft small">{text.lead}</p>
      <ul className="tiles">
        {EXAMPLES.map((example) => (
          <li key={example.name} className="card padded stack start small">
            <strong>{example.name}</strong>
            <span>{example.summary}</span>
            <Button
              variant="default"
              size="xs"
              aria-label={text.useOf({ name: example.name })}
              onClick={() => (hasTexts ? setReplacing(example) : fill(example))}
            >
              {text.use}
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={replacing !== null}
        title={text.replaceTitle}
        confirm={text.replace}
        onConfirm={async () => {
          if (replacing) fill(replacing);
        }}
        onClose={() => setReplacing(null)}
      >
        <p>{text.replaceText}</p>
      </ConfirmDialog>
    </details>
  );
}
