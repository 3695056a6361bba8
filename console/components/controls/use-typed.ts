import { useEffect, useState } from 'react';

const TYPING_MS = 300;

/**
 * The text of a search field. It calls `onChange` when the user stops typing, unless `isHeld`, and follows `value` if
 * something else changes that, such as Back.
 */
export function useTyped(value: string, onChange: (value: string) => void, isHeld = false) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  if (known !== value) {
    setKnown(value);
    // The own value can come after the user has typed on.
    if (value.trim() !== sent) {
      setSent(value.trim());
      setTyped(value);
    }
  }
  useEffect(() => {
    if (isHeld || typed.trim() === value.trim()) return;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      onChange(typed.trim());
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange, isHeld]);
  return [typed, setTyped] as const;
}
