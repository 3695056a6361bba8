import { Money } from '../components/money.tsx';
import { TimeLeft } from '../components/time-left.tsx';
import { count, timeOf } from '../format.ts';
import { market } from '../messages/market.ts';
import type { PublicProject } from './shown.ts';
import classes from './project-page.module.css';

const text = market.project.fields;

export function ProjectFacts({ project }: { project: PublicProject }) {
  const open = project.status === 'open';
  return (
    <div className={classes.panel}>
      <p className={classes.prize}>
        <span className="soft">{text.prize}</span>
        <strong>
          <Money micro={project.prize_amount_micro} short />
        </strong>
      </p>
      <dl className={classes.facts}>
        {open ? (
          <div>
            <dt>{text.closesIn}</dt>
            <dd>
              <TimeLeft until={project.auto_select_deadline} />
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{project.closed_at ? text.closed : text.deadline}</dt>
          <dd>{timeOf(project.closed_at ?? project.auto_select_deadline)}</dd>
        </div>
        {project.status === 'judging' && project.judging_ends_at ? (
          <div>
            <dt>{text.judgingEnds}</dt>
            <dd>{timeOf(project.judging_ends_at)}</dd>
          </div>
        ) : null}
        <div>
          <dt>{open ? text.entries : text.entriesEnded}</dt>
          <dd>{count(project.total_submissions)}</dd>
        </div>
        <div>
          <dt>{text.fee}</dt>
          <dd>{project.entry_fee_micro === 0 ? market.card.free : <Money micro={project.entry_fee_micro} />}</dd>
        </div>
        <div>
          <dt>{text.winnerGets}</dt>
          <dd>
            <Money micro={project.winner_receives_micro} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
