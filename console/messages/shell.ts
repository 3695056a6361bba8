import { area } from './area.ts';
import type englishRefusals from './en/refusals.ts';
import type english from './en/shell.ts';
import { language } from './language.ts';

/** Strings that every page may use. */
export const messages = await area<typeof english>((chosen) => import(`./${chosen}/shell.ts`));

const loadRefusals = () => area<typeof englishRefusals>((chosen) => import(`./${chosen}/refusals.ts`));
let refusals: ReturnType<typeof loadRefusals> | undefined;

/**
 * Returns what an error code of the service means, in the language of the page. Null in English, which the service writes
 * itself, for an unknown code, and without a connection. Pages load these texts at their first error.
 */
export async function meaningOf(code: string): Promise<string | null> {
  if (language() === 'en') return null;
  refusals ??= loadRefusals();
  const texts: Readonly<Record<string, string>> = await refusals.catch(() => {
    // The next error tries again.
    refusals = undefined;
    return {};
  });
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
