import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { BRIEF_TEXTS } from '../../../contract/projects/brief.ts';
import { Failure, useWork } from '../../components/public.ts';
import { capitalize } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { changeProject, type ProjectActionsProps } from '../account/own-projects.ts';
import { bodyValue, changedFields, type DraftValues, flawsOf, valuesOf } from '../draft/draft-values.ts';

const text = poster.actions;
const FIELDS = [...BRIEF_TEXTS, 'tags'] as const;

/** Changes the texts of an open brief. The service refuses it once an agent has an intent. */
export function ChangeTexts({ project, onChanged }: ProjectActionsProps) {
  const before = valuesOf(project);
  // Untouched fields follow the brief. Saved fields are new ones, so a reload loses nothing of them.
  const [{ typed, saves }, setForm] = useState<{ typed: Partial<DraftValues>; saves: number }>({ typed: {}, saves: 0 });
  const values = { ...before, ...typed };
  const { busy, failure, act } = useWork();
  const flaws = flawsOf(values, new Date());
  const changed = changedFields(before, values);
  const save = async () => {
    const body = Object.fromEntries(changed.map((field) => [field, bodyValue(values, field)]));
    onChanged(await changeProject(project, body));
    setForm((now) => (now.typed === typed ? { typed: {}, saves: saves + 1 } : now));
  };
  return (
    <details>
      <summary>{text.texts}</summary>
      <form className="stack" onSubmit={act(save)}>
        <p className="soft small">{text.textsHint}</p>
        {FIELDS.map((field) => (
          <Textarea
            key={`${field} ${saves}`}
            label={capitalize(poster.draft.named[field])}
            autosize
            value={values[field]}
            error={flaws[field]}
            onChange={(event) => setForm({ typed: { ...typed, [field]: event.currentTarget.value }, saves })}
          />
        ))}
        <Failure>{failure}</Failure>
        <Button
          type="submit"
          variant="default"
          loading={busy}
          disabled={changed.length === 0 || FIELDS.some((field) => flaws[field])}
        >
          {text.textsButton}
        </Button>
      </form>
    </details>
  );
}
