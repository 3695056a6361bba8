import { Moon, Sun } from 'lucide-react';
import { messages } from '../messages/public.ts';
import { chooseScheme, useScheme } from '../styles/public.ts';

export function ColorSwitch() {
  const dark = useScheme() === 'dark';
  const other = dark ? 'light' : 'dark';
  return (
    <button
      type="button"
      className="round"
      aria-label={messages.colors.switchTo({ scheme: other })}
      onClick={() => chooseScheme(other)}
    >
      {dark ? <Sun size={20} aria-hidden="true" /> : <Moon size={20} aria-hidden="true" />}
    </button>
  );
}
