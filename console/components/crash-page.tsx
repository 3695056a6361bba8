import type { ErrorComponentProps } from '@tanstack/react-router';
import { messages } from '../messages/shell.ts';
import { Page } from './page.tsx';
import { ErrorState } from './states.tsx';

/** Something threw while a page was drawn. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={messages.errors.unexpected.title}>
      <ErrorState error={error} onRetry={reset} />
    </Page>
  );
}
