import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

/** Copies a text. `copied` is true for 2 s after that; it stays false where the browser does not allow it. */
export function useCopy(text: string): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Plain HTTP has no clipboard, and a visitor can refuse it. The text can still be selected.
    }
  };
  return { copied, copy: () => void copy() };
}
