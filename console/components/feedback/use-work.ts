import { useRef, useState } from 'react';
import { ApiError } from '../../api/public.ts';
import { capitalize } from '../../format/public.ts';
import { describeError } from './page-states.tsx';

/** Says what is wrong with an input that the service need not see. */
export class InputError extends Error {
  override name = 'InputError';
}

type Work = () => Promise<unknown>;

/** Runs one work at a time. `failure` says why the last one failed. */
export function useWork() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // A second click can arrive before the page shows that the first one started.
  const isRunning = useRef(false);
  async function run(work: Work): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(reasonOf(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }
  /** Returns the handler of a click, or of the event that submits a form. */
  const act = (work: Work) => (event: { preventDefault(): void }) => {
    event.preventDefault();
    void run(work);
  };
  return { busy, failure, run, act };
}

/** Says what is wrong with the input, or else what the error is. */
function reasonOf(error: unknown): string {
  if (error instanceof InputError) return error.message;
  const [detail] = error instanceof ApiError ? error.details : [];
  return detail ? capitalize(detail.message) : describeError(error).text;
}
