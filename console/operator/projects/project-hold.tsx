import { Banner } from '../../components/feedback/public.ts';
import { timeOf } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import type { Project } from './project-actions.tsx';

const text = operator.project.onHold;

/** Says which result is on hold, and when it is paid. */
export function ResultOnHold({ project }: { project: Project }) {
  const { result_on_hold: result, hold_reason: why } = project;
  if (result === null) return null;
  const { selection, pay_after: until } = result;
  return (
    <Banner tone="warn" title={text.title}>
      <p>
        {text[selection]}
        {until === null
          ? why === null
            ? text.byService
            : text.byOperator({ why })
          : text.until({ at: timeOf(until) })}
      </p>
    </Banner>
  );
}
