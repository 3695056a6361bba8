import { Languages } from 'lucide-react';
import { useEffect } from 'react';
import { language, type Language, LANGUAGES, messages } from '../messages/public.ts';
import classes from './language-switch.module.css';
import { unsavedWork, watchTyping } from './unsaved.ts';

/** Languages name themselves, so that all readers find their own. */
const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', zh: '简体中文' };

const YEAR_SECONDS = 31_536_000;

/** The choice of the language, in the footer. A change reloads the page, so it asks first if something would be lost. */
export function LanguageSwitch() {
  useEffect(watchTyping, []);
  const choose = (chosen: string) => {
    const next = LANGUAGES.find((each) => each === chosen);
    if (!next || next === language()) return;
    const lost = unsavedWork();
    if (lost === null || confirm(messages.languageChange[lost])) changeLanguage(next);
  };
  return (
    <label className={`row ${classes.language}`}>
      <Languages size={18} aria-hidden="true" />
      <span className="only-read">{messages.language}</span>
      <select value={language()} onChange={(event) => choose(event.currentTarget.value)}>
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={each}>
            {NAMES[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Opens the page in another language. A cookie keeps the choice, and the service reads it for every page. */
function changeLanguage(next: Language): void {
  document.cookie = `language=${next}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  location.reload();
}
