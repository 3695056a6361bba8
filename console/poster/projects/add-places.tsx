import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWork, InputError } from '../../components/public.ts';
import { count } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { changeProject, type ProjectActionsProps } from '../account/own-projects.ts';

const text = poster.actions;
const MOST = 10_000;

/** Raises the number of places of an open brief that has a bound. */
export function AddPlaces({ project, onChanged }: ProjectActionsProps) {
  const [typed, setTyped] = useState('');
  const { busy, failure, act } = useWork();
  const { max_entries: places } = project;
  if (places === null) return null;
  const add = async () => {
    const wanted = Number(typed);
    if (!Number.isInteger(wanted) || wanted <= places || wanted > MOST) throw new InputError(text.placesWrong);
    onChanged(await changeProject(project, { max_entries: wanted }));
    setTyped('');
  };
  return (
    <form className="stack" onSubmit={act(add)}>
      <TextInput
        label={text.places}
        description={text.placesHint({ places: count(places) })}
        inputMode="numeric"
        value={typed}
        error={failure}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={busy}>
        {text.placesButton}
      </Button>
    </form>
  );
}
