import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWork, InputError } from '../../components/public.ts';
import { localInput, timeOf } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { useLatestDeadline } from '../../public-project/public.ts';
import { changeProject, type ProjectActionsProps } from '../account/own-projects.ts';

const text = poster.actions;

/** Moves the deadline of an open brief to a later time. */
export function Extend({ project, onChanged }: ProjectActionsProps) {
  const { auto_select_deadline: before } = project;
  const [typed, setTyped] = useState(() => localInput(new Date(before)));
  const { busy, failure, act } = useWork();
  const latest = useLatestDeadline(project);
  const extend = async () => {
    const deadline = new Date(typed);
    if (!(deadline.getTime() > Date.parse(before))) throw new InputError(text.extendWrong);
    onChanged(await changeProject(project, { auto_select_deadline: deadline.toISOString() }));
  };
  if (latest !== null && Date.parse(before) >= Date.parse(latest))
    return <p className="soft small">{text.extendFixed}</p>;
  return (
    <form className="stack" onSubmit={act(extend)}>
      <TextInput
        type="datetime-local"
        label={text.extendLabel}
        description={text.extendHint({ latest: latest === null ? 'none' : timeOf(latest) })}
        value={typed}
        error={failure}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {latest === null ? null : (
        <p className="soft small">{project.total_submissions > 0 ? text.extendOnce : text.extendFree}</p>
      )}
      <Button type="submit" variant="default" loading={busy}>
        {text.extendButton}
      </Button>
    </form>
  );
}
