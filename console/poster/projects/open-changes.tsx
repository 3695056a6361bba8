import { Button, TextInput } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { InputError, useWork } from '../../components/public.ts';
import { count, localInput, timeOf } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { useLatestDeadline } from '../../public-project/public.ts';
import { changeProject, type ProjectActionsProps } from '../account/own-projects.ts';

const text = poster.actions;
const MOST = 10_000;

type ChangeFormProps = ProjectActionsProps & {
  field: Pick<ComponentProps<typeof TextInput>, 'type' | 'label' | 'description' | 'inputMode'>;
  first: string;
  button: string;
  /** @throws InputError */
  changeOf: (typed: string) => Parameters<typeof changeProject>[1];
  children?: ReactNode;
};

/** A form with one field, which changes an open brief. */
function ChangeForm({ project, onChanged, field, first, button, changeOf, children }: ChangeFormProps) {
  // An untouched field follows the brief.
  const [typed, setTyped] = useState<string | null>(null);
  const value = typed ?? first;
  const { busy, failure, act } = useWork();
  const change = async () => {
    onChanged(await changeProject(project, changeOf(value)));
    setTyped(null);
  };
  return (
    <form className="stack" onSubmit={act(change)}>
      <TextInput {...field} value={value} error={failure} onChange={(event) => setTyped(event.currentTarget.value)} />
      {children}
      <Button type="submit" variant="default" loading={busy}>
        {button}
      </Button>
    </form>
  );
}

/** Moves the deadline of an open brief to a later time. */
export function Extend(props: ProjectActionsProps) {
  const { auto_select_deadline: before, total_submissions: entries } = props.project;
  const latest = useLatestDeadline(props.project);
  const changeOf = (typed: string) => {
    const deadline = new Date(typed);
    if (!(deadline.getTime() > Date.parse(before))) throw new InputError(text.extendWrong);
    return { auto_select_deadline: deadline.toISOString() };
  };
  if (latest !== null && Date.parse(before) >= Date.parse(latest))
    return <p className="soft small">{text.extendFixed}</p>;
  const description = text.extendHint({ latest: latest === null ? 'none' : timeOf(latest) });
  return (
    <ChangeForm
      {...props}
      field={{ type: 'datetime-local', label: text.extendLabel, description }}
      first={localInput(new Date(before))}
      button={text.extendButton}
      changeOf={changeOf}
    >
      {latest === null ? null : <p className="soft small">{entries > 0 ? text.extendOnce : text.extendFree}</p>}
    </ChangeForm>
  );
}

/** Raises the number of places of an open brief that has a bound. */
export function AddPlaces(props: ProjectActionsProps) {
  const { max_entries: places } = props.project;
  if (places === null) return null;
  const changeOf = (typed: string) => {
    const wanted = Number(typed);
    if (!Number.isInteger(wanted) || wanted <= places || wanted > MOST) throw new InputError(text.placesWrong);
    return { max_entries: wanted };
  };
  const description = text.placesHint({ places: count(places) });
  return (
    <ChangeForm
      {...props}
      field={{ label: text.places, description, inputMode: 'numeric' }}
      first=""
      button={text.placesButton}
      changeOf={changeOf}
    />
  );
}
