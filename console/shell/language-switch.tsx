import { Languages } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { changeLanguage } from '../api/public.ts';
import { language, type Language, LANGUAGES, messages } from '../messages/public.ts';
import classes from './language-switch.module.css';
import { unsavedWork, watchTyping } from './unsaved.ts';

/** Languages name themselves, so that all readers find their own. */
const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', zh: '简体中文' };

type Asked = { next: Language; lost: 'secret' | 'text' };

/** The choice of the language, in the footer. A change reloads the page, so it asks first if something would be lost. */
export function LanguageSwitch() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(watchTyping, []);
  const choose = (chosen: string) => {
    const next = LANGUAGES.find((each) => each === chosen);
    if (!next || next === language()) return;
    const lost = unsavedWork();
    if (lost === null) changeLanguage(next);
    else setAsked({ next, lost });
  };
  return (
    <>
      <label className={`row ${classes.language}`}>
        <Languages size={18} aria-hidden="true" />
        <span className="only-read">{messages.language}</span>
        <select value={asked?.next ?? language()} onChange={(event) => choose(event.currentTarget.value)}>
          {LANGUAGES.map((each) => (
            <option key={each} value={each} lang={each}>
              {NAMES[each]}
            </option>
          ))}
        </select>
      </label>
      {asked ? <Question {...asked} onStay={() => setAsked(null)} /> : null}
    </>
  );
}

function Question({ next, lost, onStay }: Asked & { onStay: () => void }) {
  const text = messages.languageChange;
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className={classes.question} aria-labelledby={title} onClose={onStay}>
      <h2 id={title}>{text.title}</h2>
      <p>{text.lost[lost]}</p>
      <div className={`row ${classes.buttons}`}>
        <button type="button" onClick={onStay}>
          {messages.confirm.cancel}
        </button>
        <button type="button" onClick={() => changeLanguage(next)}>
          {text.change}
        </button>
      </div>
    </dialog>
  );
}
