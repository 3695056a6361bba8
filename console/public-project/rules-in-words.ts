import type { z } from 'zod';
import type { marketOperations } from '../../contract/projects/market.ts';
import type { ProjectStatus } from '../../contract/projects/projects.ts';
import type { termsOperations } from '../../contract/projects/terms.ts';
import { spanInWords, timeOf, usdc } from '../format/public.ts';
import { market } from '../messages/public.ts';

/** The current terms of a project, with all versions. */
export type Terms = z.output<typeof termsOperations.getTerms.output>;

type PublicProject = z.output<typeof marketOperations.getPublicProject.output>['project'];

/** The fields of a project that its rules depend on. The poster's own view of the project has them too. */
export type RuledProject = Pick<
  PublicProject,
  | 'prize_amount_micro'
  | 'winner_receives_micro'
  | 'entry_fee_micro'
  | 'judging_hours'
  | 'item_count'
  | 'max_entries'
  | 'auto_select_deadline'
  | 'latest_deadline'
  | 'closed_at'
> & { status: ProjectStatus; ai_judge?: boolean };

type AgreedTerms = Terms['terms'];

const text = market.project.rules;
const HOUR_MS = 3_600_000;
const rate = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 4 });

/**
 * Says in sentences how a project is decided and paid. The numbers are those of its terms. A project that opened without
 * terms gets the general rules of its time.
 */
export function rulesInWords(project: RuledProject, terms: AgreedTerms | null): string[] {
  return [...entering(project, terms), ...deciding(project, terms), ...paying(terms)];
}

function entering(project: RuledProject, terms: AgreedTerms | null): string[] {
  const { entry_fee_micro: fee, latest_deadline: latest, closed_at: closed, max_entries: most } = project;
  const canMove = latest !== null && project.status === 'open';
  return [
    closed ? text.closed(timeOf(closed)) : text.deadline(timeOf(project.auto_select_deadline)),
    ...(canMove ? [text.latest(timeOf(latest), terms ? span(terms.extension_seconds) : text.usual.extension)] : []),
    ...(canMove ? [text.early(terms?.close_notice_seconds ? span(terms.close_notice_seconds) : null)] : []),
    ...(terms?.confirm_grace_seconds ? [text.grace(span(terms.confirm_grace_seconds))] : []),
    ...(most === null ? [] : [text.places(most)]),
    fee === 0 ? text.noFee : text.fee(usdc(fee)),
    ...(project.item_count > 1 ? [text.items(project.item_count)] : []),
  ];
}

function deciding(project: RuledProject, terms: AgreedTerms | null): string[] {
  const { judging_hours: hours } = project;
  return [
    prizeRule(project),
    hours === 0 ? text.atOnce : text.judging(spanInWords(hours * HOUR_MS)),
    ...unchosen(project, terms),
    text.tie,
  ];
}

function prizeRule({ prize_amount_micro: prize, winner_receives_micro: gets }: RuledProject): string {
  return text.prize(usdc(prize), rate.format((prize - gets) / prize), usdc(gets));
}

/** Says how a project ends if its poster does not choose. Without a latest deadline, the rules before silence apply. */
function unchosen({ latest_deadline: latest, ai_judge: byModel, ...project }: RuledProject, terms: AgreedTerms | null) {
  const hasModel = terms ? terms.selection.includes('ai') : byModel === true;
  if (latest === null) return [text.splitOld(hasModel)];
  const cap = terms ? text.usual.cap(usdc(terms.silence.share_cap_micro)) : text.usual.unknownCap;
  return [
    text.unchosen(hasModel),
    project.entry_fee_micro === 0 ? text.silenceFree : text.silenceFee(cap),
    ...holding(terms),
  ];
}

function holding(terms: AgreedTerms | null): string[] {
  if (terms === null) return [text.hold(text.usual.hold)];
  const { seconds, objection_seconds: objections } = terms.hold;
  if (seconds === 0) return [];
  return [text.hold(span(seconds)), ...(objections === 0 ? [] : [text.objections(span(objections))])];
}

function paying(terms: AgreedTerms | null): string[] {
  return [text.refunds, ...(terms ? [text.operator] : []), text.payout];
}

function span(seconds: number): string {
  return spanInWords(seconds * 1000);
}
