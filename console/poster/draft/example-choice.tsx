import { Button } from '@mantine/core';
import { posterBrief } from '../../messages/public.ts';
import { useAction } from '../../signed-in/public.ts';
import classes from './brief-help.module.css';
import { EXAMPLES, TITLE_FIELD } from './examples.ts';
import type { Draft } from './use-draft.ts';

const text = posterBrief.examples;
type Example = (typeof EXAMPLES)[number];

/** Examples of briefs. Each fills in the texts of the form. */
export function ExampleChoice({ draft, opened }: { draft: Draft; opened: boolean }) {
  const { ask, dialog } = useAction();
  const { title, description, requirements } = draft.values;
  const fill = (example: Example) => {
    draft.fill(example.values);
    const field = document.getElementById(TITLE_FIELD);
    field?.scrollIntoView({ block: 'center' });
    field?.focus();
  };
  const hasTexts = [title, description, requirements].some((each) => each.trim() !== '');
  const replacement = (example: Example) => ({
    title: text.replaceTitle,
    text: text.replaceText,
    confirm: text.replace,
    run: async () => fill(example),
  });
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
              onClick={() => (hasTexts ? ask(replacement(example)) : fill(example))}
            >
              {text.use}
            </Button>
          </li>
        ))}
      </ul>
      {dialog}
    </details>
  );
}
