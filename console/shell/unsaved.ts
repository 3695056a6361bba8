// A reload of the page would lose these: a secret that is shown once, and typed text that nothing keeps. Text in filters is
// in the address. A form whose text survives a reload has the attribute `data-kept`.

const typed = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** Notes each field that somebody types into. Returns the end of it. */
export function watchTyping(): () => void {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !isChoice(target)))
      typed.add(target);
  };
  document.addEventListener('input', note);
  return () => document.removeEventListener('input', note);
}

function isChoice({ type }: HTMLInputElement): boolean {
  return type === 'checkbox' || type === 'radio' || type === 'range' || type === 'file';
}

/** Returns what a reload would lose now. A saved form is a new form, so the fields of the old one are gone. */
export function unsavedWork(): 'secret' | 'text' | null {
  if (document.querySelector('[data-shown-once]')) return 'secret';
  for (const field of typed) if (!field.isConnected) typed.delete(field);
  const isLost = [...typed].some((field) => field.value.trim() !== '' && !field.closest('search, [data-kept]'));
  return isLost ? 'text' : null;
}
