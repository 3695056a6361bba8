import type { z } from 'zod';
import type { termsOperations } from '../../contract/projects/terms.ts';
import { share, spanInWords, timeOf, usdc } from '../format/public.ts';
import { market, rights } from '../messages/public.ts';
import type { AnyProject } from './project-data.ts';

/** The current terms of a project, with all versions. */
export type Terms = z.output<typeof termsOperations.getTerms.output>;

type AgreedTerms = Terms['terms'];

const text = market.project.rules;
const HOUR_MS = 3_600_000;

/** Says in three sentences how to enter, who decides, and who gets the rights. */
export function rulesInShort(project: AnyProject): string[] {
  const { entry_fee_micro: fee, judging_hours: hours, winner_receives_micro: gets, licence } = project;
  const isOver = project.closed_at !== null || project.cancelled_at !== null;
  if (project.status === 'cancelled') return [entriesEnd(project)];
  return [
    isOver
      ? entriesEnd(project)
      : text.enter({ at: timeOf(project.auto_select_deadline), fee: fee === 0 ? 'none' : usdc(fee) }),
    ...(project.status === 'completed'
      ? []
      : [text.choice({ hours: hours === 0 ? 'none' : spanInWords(hours * HOUR_MS), gets: usdc(gets) })]),
    rights.licences[licence].means,
  ];
}

/** Says in sentences how a project is decided and paid, with the numbers of its terms. */
export function rulesInWords(project: AnyProject, terms: AgreedTerms): string[] {
  return [...entering(project, terms), ...deciding(project, terms), text.refunds, text.operator, text.payout];
}

function entering(project: AnyProject, terms: AgreedTerms): string[] {
  const { entry_fee_micro: fee, latest_deadline: latest, max_entries: most, auto_select_deadline: deadline } = project;
  const isOpen = latest !== null && project.status === 'open';
  return [
    entriesEnd(project),
    ...(isOpen && Date.parse(latest) > Date.parse(deadline)
      ? [text.latest({ at: timeOf(latest), extension: span(terms.extension_seconds) })]
      : []),
    ...(isOpen ? [text.early({ notice: terms.close_notice_seconds ? span(terms.close_notice_seconds) : 'none' })] : []),
    ...(terms.confirm_grace_seconds ? [text.grace({ span: span(terms.confirm_grace_seconds) })] : []),
    ...(most === null ? [] : [text.places({ most })]),
    fee === 0 ? text.noFee : text.fee({ fee: usdc(fee) }),
    ...(project.item_count > 1 ? [text.items({ most: project.item_count })] : []),
  ];
}

/** Says when entries end or ended. A project that was cancelled while it was open has no end of entries of its own. */
function entriesEnd({ closed_at: closed, cancelled_at: cancelled, auto_select_deadline: deadline }: AnyProject) {
  if (closed) return text.closed({ at: timeOf(closed) });
  return cancelled ? text.cancelled({ at: timeOf(cancelled) }) : text.deadline({ at: timeOf(deadline) });
}

function deciding(project: AnyProject, terms: AgreedTerms): string[] {
  const { judging_hours: hours } = project;
  return [
    prizeRule(project),
    hours === 0 ? text.atOnce : text.judging({ hours: spanInWords(hours * HOUR_MS) }),
    ...unchosen(project, terms),
    text.tie,
  ];
}

function prizeRule({ prize_amount_micro: prize, winner_receives_micro: gets }: AnyProject): string {
  return text.prize({ prize: usdc(prize), rate: share((prize - gets) / prize), gets: usdc(gets) });
}

/** Says how a project ends if its poster does not choose. */
function unchosen(project: AnyProject, { selection, silence, hold }: AgreedTerms) {
  return [
    text.unchosen({ ai: String(selection.includes('ai')) }),
    project.entry_fee_micro === 0 ? text.silenceFree : text.silenceFee({ cap: usdc(silence.share_cap_micro) }),
    ...(hold.seconds === 0 ? [] : [text.hold({ span: span(hold.seconds) })]),
  ];
}

function span(seconds: number): string {
  return spanInWords(seconds * 1000);
}
