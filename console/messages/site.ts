import type english from './en.json';
import { language } from './language.ts';
import { loadTexts } from './texts.ts';

/** The texts of the frame and of the pages that need no sign-in. */
export const { messages, market, entering, leaderboard, rights, questions, briefPictures } = await loadTexts<
  typeof english.site
>((chosen) => import(`./${chosen}.json?part=site`));

/** The optional texts of a brief, with their labels, as every page shows them. */
export const briefParts = Object.entries(market.project.texts) as [keyof typeof market.project.texts, string][];

const loadRefusals = () => loadTexts<Record<string, string>>((chosen) => import(`./${chosen}.json?part=refusals`));
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
