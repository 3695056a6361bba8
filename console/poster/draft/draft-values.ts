import type { z } from 'zod';
import { posterOperations } from '../../../contract/posters.ts';
import { BRIEF_TEXTS, type BriefText } from '../../../contract/projects/brief.ts';
import type { Gallery, LicenceId } from '../../../contract/projects/rights.ts';
import { capitalize, decimalText, numberText } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';

/** A draft as the API returns it. */
type Stored = z.output<typeof posterOperations.getOwnProject.output>['project'];

/** The form's values. Amounts and lists are text, so incomplete input is kept. */
export type DraftValues = Record<BriefText, string> & {
  specializations: string[];
  prize_amount: string;
  entry_fee: string;
  /** As it came, or the local time that the poster typed: an hour that repeats has two times of one text. */
  auto_select_deadline: string;
  judging_hours: string;
  max_entries: string;
  item_count: string;
  licence: LicenceId;
  gallery: Gallery;
  tags: string;
};
export type DraftField = keyof DraftValues;

/** The choices that the address of the form names. */
export type DraftSearch = { id?: string; copy?: string; step?: 'review'; brief?: object };

/** The fields of a request body. */
export type DraftBody = Partial<Record<DraftField, unknown>>;

const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

export function newValues(now: Date): DraftValues {
  const deadline = new Date(Math.ceil((now.getTime() + WEEK_MS) / HOUR_MS) * HOUR_MS);
  return {
    ...textValues(() => ''),
    specializations: [],
    prize_amount: '',
    entry_fee: '0',
    auto_select_deadline: deadline.toISOString(),
    judging_hours: '72',
    max_entries: '',
    item_count: '1',
    licence: 'assignment',
    gallery: 'public',
    tags: '',
  };
}

function textValues(valueOf: (field: BriefText) => string): Record<BriefText, string> {
  return Object.fromEntries(BRIEF_TEXTS.map((field) => [field, valueOf(field)])) as Record<BriefText, string>;
}

/** Converts a stored draft to form values. */
export function valuesOf(project: Stored): DraftValues {
  return {
    ...textValues((field) => [project[field]].flat().join(field === 'style_references' ? '\n' : ', ')),
    specializations: project.specializations.map(({ id }) => id),
    prize_amount: numberText(project.prize_amount_micro / 1_000_000),
    entry_fee: numberText(project.entry_fee_micro / 1_000_000),
    auto_select_deadline: project.auto_select_deadline,
    judging_hours: String(project.judging_hours),
    max_entries: project.max_entries === null ? '' : String(project.max_entries),
    item_count: String(project.item_count),
    licence: project.licence,
    gallery: project.gallery,
    tags: project.metadata.tags.join(', '),
  };
}

/** Converts a project to the form values of its duplicate. Money and deadline are not copied. */
export function copyOf(project: Stored, now: Date): DraftValues {
  const { prize_amount, entry_fee, auto_select_deadline } = newValues(now);
  return { ...valuesOf(project), prize_amount, entry_fee, auto_select_deadline };
}

const READ: { [Field in DraftField]?: (typed: string) => unknown } = {
  prize_amount: decimalText,
  entry_fee: decimalText,
  judging_hours: wholeNumber,
  max_entries: (typed) => (typed.trim() === '' ? null : wholeNumber(typed)),
  item_count: wholeNumber,
  color_preferences: (typed) => listOf(typed, ','),
  style_references: (typed) => listOf(typed, '\n'),
  tags: (typed) => listOf(typed, ','),
  auto_select_deadline: (typed) => {
    const time = new Date(typed);
    return Number.isNaN(time.getTime()) ? '' : time.toISOString();
  },
};

function wholeNumber(typed: string): unknown {
  const text = decimalText(typed);
  return /^\d+$/.test(text) ? Number(text) : typed;
}

function listOf(typed: string, separator: string): string[] {
  return typed
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Converts one form value to its request value. */
export function bodyValue(values: DraftValues, field: DraftField): unknown {
  const typed = values[field];
  return typeof typed === 'string' ? (READ[field] ?? String)(typed) : typed;
}

export const FIELDS = Object.keys(newValues(new Date(0))) as DraftField[];

const { shape } = posterOperations.draftProject.body;

/** Returns an error message for each invalid field, by the contract's schemas. */
export function flawsOf(values: DraftValues, now: Date): Partial<Record<DraftField, string>> {
  const flaws: Partial<Record<DraftField, string>> = {};
  for (const field of FIELDS) {
    const parsed = shape[field].safeParse(bodyValue(values, field));
    if (!parsed.success) flaws[field] = capitalize(parsed.error.issues[0]?.message ?? '');
    else if (field === 'auto_select_deadline' && (parsed.data as Date) <= now) flaws[field] = poster.draft.notPast;
  }
  return flaws;
}

/** Returns the fields with another meaning: `2.50` and `2.5`, or a text and the same text with a space after it, are equal. */
export function changedFields(before: DraftValues, after: DraftValues): DraftField[] {
  const meaningOf = (values: DraftValues, field: DraftField) => {
    const value = bodyValue(values, field);
    const parsed = shape[field].safeParse(value);
    return JSON.stringify(parsed.success ? parsed.data : value);
  };
  return FIELDS.filter((field) => meaningOf(before, field) !== meaningOf(after, field));
}

/** Returns the valid fields that differ from the stored draft. */
export function changesBetween(stored: DraftValues, values: DraftValues, now: Date): DraftBody {
  const flaws = flawsOf(values, now);
  const changed = changedFields(stored, values).filter((field) => !flaws[field]);
  return Object.fromEntries(changed.map((field) => [field, bodyValue(values, field)]));
}

/**
 * Takes the changes that another window saved. `before` is the stored draft from which `values` were edited, `after` is
 * the stored draft now. A field that was edited here keeps its value.
 */
export function takeChanges(values: DraftValues, before: DraftValues, after: DraftValues): DraftValues {
  const edited = new Set(changedFields(before, values));
  const changed = changedFields(before, after).filter((field) => !edited.has(field));
  return changed.length === 0 ? values : { ...values, ...valuesIn(after, changed) };
}

export function valuesIn(values: DraftValues, fields: readonly DraftField[]): Partial<DraftValues> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}
