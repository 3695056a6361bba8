import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { describeError } from '../../components/public.ts';
import { count } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { posterApi } from '../account/poster-session.ts';
import type { ProjectActionsProps } from './project-actions-props.ts';

const text = poster.actions;
const MOST = 10_000;

/** Raises the number of places of an open brief that has a bound. */
export function AddPlaces({ project, onChanged }: ProjectActionsProps) {
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { max_entries: places } = project;
  if (places === null) return null;
  async function add(event: { preventDefault(): void }) {
    event.preventDefault();
    const wanted = Number(typed);
    if (!Number.isInteger(wanted) || wanted <= (places ?? 0) || wanted > MOST) {
      setFailure(text.placesWrong);
      return;
    }
    setBusy(true);
    try {
      const input = { params: { project_id: project.id }, body: { max_entries: wanted } };
      onChanged((await posterApi.call('PATCH /posters/me/projects/{project_id}', input)).project);
      setTyped('');
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }
  return (
    <form className="stack" onSubmit={(event) => void add(event)}>
      <TextInput
        label={text.places}
        description={text.placesHint({ places: count(places) })}
        inputMode="numeric"
        value={typed}
        error={failure}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFailure(null);
        }}
      />
      <Button type="submit" variant="default" loading={busy}>
        {text.placesButton}
      </Button>
    </form>
  );
}
