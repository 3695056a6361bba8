import { spanInWords, timeOf, usdc } from '../format/public.ts';
import { market } from '../messages/public.ts';
import type { PublicProject } from './project-data.ts';
import classes from './project-page.module.css';

const text = market.project.rules;
const HOUR_MS = 3_600_000;
const rate = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 4 });

/** Explains the rules of payment and selection with this project's numbers. */
export function ProjectRules({ project }: { project: PublicProject }) {
  const { prize_amount_micro: prize, entry_fee_micro: fee, judging_hours: hours } = project;
  return (
    <section className={classes.section} aria-labelledby="rules">
      <h2 id="rules">{market.project.tabs.rules}</h2>
      <ul className={classes.list}>
        <li>
          {project.closed_at
            ? text.closed(timeOf(project.closed_at))
            : text.deadline(timeOf(project.auto_select_deadline))}
        </li>
        {project.latest_deadline && project.status === 'open' ? (
          <>
            <li>{text.latest(timeOf(project.latest_deadline))}</li>
            <li>{text.early}</li>
          </>
        ) : null}
        {project.max_entries === null ? null : <li>{text.places(project.max_entries)}</li>}
        <li>{fee === 0 ? text.noFee : text.fee(usdc(fee))}</li>
        <li>{text.prize(usdc(prize), rate.format(project.platform_fee_rate), usdc(project.winner_receives_micro))}</li>
        <li>{hours === 0 ? text.atOnce : text.judging(spanInWords(hours * HOUR_MS))}</li>
        <UnchosenRules project={project} />
        <li>{text.tie}</li>
        <li>{text.refunds}</li>
        <li>{text.payout}</li>
      </ul>
    </section>
  );
}

/** Explains how a project ends if the poster does not choose. Projects without a latest deadline keep the rules of their publication. */
function UnchosenRules({ project }: { project: PublicProject }) {
  if (project.latest_deadline === null) return <li>{text.splitOld(project.ai_judge)}</li>;
  return (
    <>
      <li>{text.unchosen(project.ai_judge)}</li>
      <li>{project.entry_fee_micro === 0 ? text.silenceFree : text.silenceFee}</li>
      <li>{text.hold}</li>
    </>
  );
}
