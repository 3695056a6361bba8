import { z } from 'zod';
import { wholeNumber } from '../basics/integer-text.ts';
import { isoDateTime } from '../basics/iso-date.ts';
import { MICRO_PER_USDC, usdcAmount } from '../basics/money.ts';
import { specializationIds, text } from '../basics/text.ts';
import { gallery, licence } from './rights.ts';

const prize = usdcAmount.refine((micro) => micro >= MICRO_PER_USDC, 'at least 1 USDC');

const webUrl = z.url({ protocol: /^https?$/, error: 'an http or https URL' }).max(2000, 'at most 2000 characters');

/** The fields of a brief, without defaults. */
export const draftFields = {
  title: text(3, 200),
  description: text(25, 10_000),
  prize_amount: prize.meta({ description: 'Decimal USDC, at least 1' }),
  entry_fee: usdcAmount.meta({
    description:
      'Decimal USDC; 0 makes entering free. Any other fee is at least the operator’s minimum, by default 0.01',
  }),
  specializations: specializationIds,
  project_type_id: z.literal('image'),
  requirements: text(0, 10_000),
  item_count: wholeNumber(1, 20),
  style_references: z.array(webUrl).max(20, 'at most 20 URLs'),
  color_preferences: z
    .union(
      [
        text(0, 1000).transform((value) =>
          value
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean),
        ),
        z.array(text(1, 100)),
      ],
      'a list of texts of 1 to 100 characters, or comma-separated text of at most 1000',
    )
    .pipe(z.array(z.string()).max(20, 'at most 20 colors'))
    .meta({ description: 'A list, or comma-separated text' }),
  size_requirements: text(0, 500),
  auto_select_deadline: isoDateTime().meta({
    description: 'ISO 8601 date-time, in the future, at most 30 days from now',
  }),
  judging_hours: wholeNumber(0, 720),
  tags: z.array(text(1, 50)).max(20, 'at most 20 tags'),
  max_entries: z.int('2 to 10000').min(2, '2 to 10000').max(10_000, '2 to 10000').nullable().meta({
    description: 'The most entries that the project takes; null (default): any number',
  }),
  licence,
  gallery,
};

/** A whole brief: what its poster may leave out has a default. */
export const draftBody = z.object({
  ...draftFields,
  project_type_id: draftFields.project_type_id.default('image'),
  requirements: draftFields.requirements.default(''),
  item_count: draftFields.item_count.default(1),
  style_references: draftFields.style_references.default([]),
  color_preferences: draftFields.color_preferences.default([]),
  size_requirements: draftFields.size_requirements.default(''),
  judging_hours: draftFields.judging_hours.default(72),
  tags: draftFields.tags.default([]),
  max_entries: draftFields.max_entries.default(null),
  licence: draftFields.licence.default('assignment'),
  gallery: draftFields.gallery.default('public'),
});
/** A parsed brief: amounts are integer microdollars, the deadline is a Date. */
export type ProjectBrief = z.output<typeof draftBody>;

/**
 * The texts of a brief, as answers show them. Agents work by them, so `brief_sha256` of the terms covers them, and they can
 * change until the first intent. Their columns have the same names.
 */
export const briefTexts = {
  title: z.string(),
  description: z.string(),
  requirements: z.string(),
  style_references: z.array(z.string()),
  color_preferences: z.array(z.string()),
  size_requirements: z.string(),
};
/** The name of one of these texts. */
export type BriefText = keyof typeof briefTexts;
export type BriefTexts = { [Field in BriefText]: z.infer<(typeof briefTexts)[Field]> };
/** The names of these texts. */
export const BRIEF_TEXTS = Object.keys(briefTexts) as BriefText[];

/** Returns the texts of a brief, of a project's row, or of a project in an answer. */
export function textsOf(brief: BriefTexts): BriefTexts {
  return Object.fromEntries(BRIEF_TEXTS.map((field) => [field, brief[field]])) as BriefTexts;
}
