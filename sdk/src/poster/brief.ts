import { microOf, type Usdc } from '../money.ts';
import type { BriefBody, OwnProject } from '../wire.ts';

type Money = 'prize_amount' | 'entry_fee' | 'auto_select_deadline';

/** A brief. What may be missing has a default. */
export type Brief = Omit<BriefBody, Money> & {
  /** Decimal USDC, at least 1. */
  prize_amount: Usdc;
  /** Decimal USDC; 0 makes entering free. */
  entry_fee: Usdc;
  auto_select_deadline: string | Date;
};

/** A copy has a prize, a fee, and a deadline of its own. Other fields replace those of the original. */
export type Copy = Pick<Brief, Money> & Partial<Brief>;

/** Returns the whole brief of a copy. */
export function copiedBrief(project: OwnProject, copy: Copy): Brief {
  // A field of briefs that is missing here does not compile.
  const copied: Required<Omit<Brief, Money | 'project_type_id'>> = {
    title: project.title,
    description: project.description,
    requirements: project.requirements,
    style_references: project.style_references,
    color_preferences: project.color_preferences,
    size_requirements: project.size_requirements,
    specializations: project.specializations.map(({ id }) => id),
    item_count: project.item_count,
    judging_hours: project.judging_hours,
    max_entries: project.max_entries,
    tags: project.metadata.tags,
    licence: project.licence,
    gallery: project.gallery,
    pictures_of: project.id,
  };
  // A field that is undefined is one that the caller left out.
  const given = Object.entries(copy).filter(([, value]) => value !== undefined);
  return { ...copied, ...(Object.fromEntries(given) as Copy) };
}

/** Returns the body of a request. Its amounts are numbers. @throws ConcoursError VALIDATION_ERROR */
export function bodyOf({ prize_amount: prize, entry_fee: fee, ...rest }: Partial<Brief>): Record<string, unknown> {
  return {
    ...rest,
    ...(prize === undefined ? {} : { prize_amount: microOf(prize, 'prize_amount') / 1e6 }),
    ...(fee === undefined ? {} : { entry_fee: microOf(fee, 'entry_fee') / 1e6 }),
  };
}
