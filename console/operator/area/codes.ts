import { useSyncExternalStore } from 'react';
import { type Api, ApiError, Cancelled } from '../../api/public.ts';

/** Asks the operator for a code of the authenticator app. */
export type CodeQuestion = {
  /** Why the previous code was refused; null for the first one. */
  refusal: string | null;
  /** The request with the code is on its way. */
  isSending: boolean;
  answer: (code: string | null) => void;
};

let question: CodeQuestion | null = null;
const listeners = new Set<() => void>();

function show(next: CodeQuestion | null): void {
  question = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCodeQuestion(): CodeQuestion | null {
  return useSyncExternalStore(subscribe, () => question);
}

/** Returns a client that asks for a code if an act needs one, and repeats the same request with the code. */
export function withCodes(api: Api): Api {
  return {
    async call(route, input) {
      try {
        return await api.call(route, input);
      } catch (error) {
        if (!isRefusal(error, 'OPERATOR_CODE_REQUIRED')) throw error;
      }
      try {
        return await sendWithCode(
          (code) => api.call(route, { ...input, headers: { ...input.headers, 'x-operator-code': code } }),
          null,
        );
      } finally {
        show(null);
      }
    },
  };
}

/** A wrong code, or one that was used before, leads to the next question. @throws Cancelled */
async function sendWithCode<T>(send: (code: string) => Promise<T>, refusal: string | null): Promise<T> {
  const code = await ask(refusal);
  if (code === null) throw new Cancelled();
  try {
    return await send(code);
  } catch (error) {
    if (!isRefusal(error, 'OPERATOR_CODE_INVALID')) throw error;
    return await sendWithCode(send, error.message);
  }
}

async function ask(refusal: string | null): Promise<string | null> {
  const code = await new Promise<string | null>((resolve) => {
    show({ refusal, isSending: false, answer: resolve });
  });
  if (code !== null) show({ refusal: null, isSending: true, answer: () => undefined });
  return code;
}

function isRefusal(error: unknown, code: ApiError['code']): error is ApiError {
  return error instanceof ApiError && error.code === code;
}
