import { Moon, Sun } from 'lucide-react';
import { chooseScheme, useScheme } from '../styles/color-scheme.ts';
import { messages } from '../messages/shell.ts';
import classes from './color-switch.module.css';

export function ColourSwitch() {
  const dark = useScheme() === 'dark';
  const other = dark ? 'light' : 'dark';
  return (
    <button
      type="button"
      className={classes.switch}
      aria-label={messages.colours.switchTo(other)}
      onClick={() => chooseScheme(other)}
    >
      {dark ? <Sun size={20} aria-hidden="true" /> : <Moon size={20} aria-hidden="true" />}
    </button>
  );
}
