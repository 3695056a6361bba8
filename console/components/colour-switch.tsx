import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Moon, Sun } from 'lucide-react';
import { messages } from '../messages/shell.ts';
import classes from './colour-switch.module.css';

/** Light or dark: the system's, until somebody chooses. */
export function ColourSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme() === 'dark';
  return (
    <button
      type="button"
      className={classes.switch}
      aria-label={messages.colours.switchTo(dark ? 'light' : 'dark')}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <Sun size={20} aria-hidden="true" /> : <Moon size={20} aria-hidden="true" />}
    </button>
  );
}
