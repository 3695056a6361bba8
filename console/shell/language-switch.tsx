import { Languages } from 'lucide-react';
import { language, type Language, LANGUAGES, messages } from '../messages/public.ts';
import classes from './language-switch.module.css';

/** Languages name themselves, so that all readers find their own. */
const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', zh: '简体中文' };
const YEAR_SECONDS = 31_536_000;

/** Opens the page in another language. A cookie keeps the choice, and the service reads it for every page. */
export function LanguageSwitch() {
  const choose = (next: string) => {
    document.cookie = `language=${next}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
    location.reload();
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
