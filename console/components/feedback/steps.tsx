import { Check, Circle, LoaderCircle } from 'lucide-react';
import { poster } from '../../messages/public.ts';
import classes from './steps.module.css';

export type Step = { label: string; state: 'done' | 'now' | 'later' };

/** The progress of a process with several steps. */
export function Steps({ steps, inRow = false }: { steps: Step[]; inRow?: boolean }) {
  return (
    <ol className={`${inRow ? 'row loose' : 'stack'} ${classes.steps}`}>
      {steps.map(({ label, state }) => (
        <li key={label} className="row" data-state={state}>
          <Icon state={state} />
          {label}
        </li>
      ))}
    </ol>
  );
}

function Icon({ state }: Pick<Step, 'state'>) {
  if (state === 'done') return <Check size={20} role="img" aria-label={poster.publish.done} />;
  if (state === 'now')
    return <LoaderCircle size={20} role="img" aria-label={poster.publish.now} className={classes.turning} />;
  return <Circle size={20} aria-hidden="true" />;
}
