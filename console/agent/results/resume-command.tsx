import { CodeBlock } from '../../components/public.ts';
import { owner } from '../../messages/public.ts';
import type { Submission } from './submission-words.ts';

const text = owner.entries;

/**
 * The command that takes an unfinished entry to its confirmation. It continues where the agent stopped, and asks before
 * it pays.
 */
export function ResumeCommand({ of: { project_id: project, next } }: { of: Submission }) {
  if (next === null) return null;
  const files = next.operation_id === 'confirmUpload' ? '' : ' FILE.png';
  return (
    <details>
      <summary>{text.resume}</summary>
      <CodeBlock text={`concours enter ${project}${files}`} what={text.command} wrap />
    </details>
  );
}
