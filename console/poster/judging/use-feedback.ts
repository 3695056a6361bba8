import { useEffect, useRef, useState } from 'react';
import { type Entry, isRefused } from './entry-requests.ts';
import { FeedbackKeeper } from './feedback-keeper.ts';
import type { Entries } from './use-entries.ts';

/** The drafts of feedback of a project's entries. They outlive the viewer, the page, and the browser's window. */
export function useFeedback(projectId: string, entries: Entries): FeedbackKeeper {
  const now = useRef(entries);
  useEffect(() => {
    now.current = entries;
  });
  const [keeper] = useState(
    () =>
      new FeedbackKeeper(`feedback-${projectId}-`, async (id, text) => {
        const entry = now.current.list.find((each) => each.id === id);
        // The list is still loading.
        if (!entry) throw new Error('unknown entry');
        return await saveDraft(now.current, entry, text);
      }),
  );
  const { loaded } = entries;
  useEffect(() => {
    if (!loaded) return;
    keeper.start();
    return () => keeper.stop();
  }, [keeper, loaded]);
  return keeper;
}

async function saveDraft({ note }: Entries, entry: Entry, text: string): Promise<boolean> {
  const isSent = text.trim() === (entry.feedback ?? '');
  try {
    await note(entry, { feedback_draft: isSent ? null : text.trim() });
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

/** The text of the field: not saved yet, a draft, or feedback that was sent. */
export function feedbackOf(keeper: FeedbackKeeper, entry: Entry): string {
  return keeper.textOf(entry.id) ?? entry.feedback_draft ?? entry.feedback ?? '';
}
