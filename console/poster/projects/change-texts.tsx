import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { BRIEF_TEXTS } from '../../../contract/projects/brief.ts';
import { describeError } from '../../components/public.ts';
import { capitalize } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { posterApi } from '../account/poster-session.ts';
import { bodyValue, changedFields, flawsOf, valuesOf } from '../draft/draft-values.ts';
import type { ProjectActionsProps } from './project-actions-props.ts';

const text = poster.actions;
const FIELDS = [...BRIEF_TEXTS, 'tags'] as const;

/** Changes the texts of an open brief. The service refuses it once an agent has an intent. */
export function ChangeTexts({ project, onChanged }: ProjectActionsProps) {
  const before = valuesOf(project);
  const [values, setValues] = useState(before);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const flaws = flawsOf(values, new Date());
  const changed = changedFields(before, values);
  async function save(event: { preventDefault(): void }) {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const body = Object.fromEntries(changed.map((field) => [field, bodyValue(values, field)]));
      const input = { params: { project_id: project.id }, body };
      onChanged((await posterApi.call('PATCH /posters/me/projects/{project_id}', input)).project);
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }
  return (
    <details>
      <summary>{text.texts}</summary>
      <form className="stack" onSubmit={(event) => void save(event)}>
        <p className="soft small">{text.textsHint}</p>
        {FIELDS.map((field) => (
          <Textarea
            key={field}
            label={capitalize(poster.draft.named[field])}
            autosize
            value={values[field]}
            error={flaws[field]}
            onChange={(event) => setValues({ ...values, [field]: event.currentTarget.value })}
          />
        ))}
        {failure ? <p role="alert">{failure}</p> : null}
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
