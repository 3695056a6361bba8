import { Languages } from 'lucide-react';
import { changeLanguage } from '../api/public.ts';
import { language, type Language, LANGUAGES, messages } from '../messages/public.ts';
import classes from './language-switch.module.css';

/** Languages name themselves, so that all readers find their own. */
const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', zh: '简体中文' };

/** The choice of the language, in the footer. */
export function LanguageSwitch() {
  const choose = (next: string) => {
    const found = LANGUAGES.find((each) => each === next);
    if (found) changeLanguage(found);
  };
  return (
    <label className={classes.language}>
      <Languages size={18} aria-hidden="true" />
      <span className="only-read">{messages.language}</span>
      <select defaultValue={language()} onChange={(event) => choose(event.currentTarget.value)}>
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={each}>
            {NAMES[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
