import type { ReactNode } from 'react';
import { type Fact, Panel, PanelFacts, Money, TimeLeft } from '../components/public.ts';
import { count, timeOf } from '../format/public.ts';
import { market } from '../messages/public.ts';
import type { AnyProject } from './project-data.ts';
import classes from './project-page.module.css';

const text = market.project.fields;

type ProjectFactsProps = { project: AnyProject; more?: Fact[]; children?: ReactNode };

/** The facts of a project that everyone sees. `more` are those that only its poster sees. */
export function ProjectFacts({ project, more = [], children }: ProjectFactsProps) {
  const { entry_fee_micro: fee, closed_at: closed, judging_ends_at: judgingEnds, result_on_hold: hold } = project;
  const isOpen = project.status === 'open';
  return (
    <Panel id="facts" title={market.project.facts}>
      <p className={classes.prize}>
        <span className="soft">{text.prize}</span>
        <strong>
          <Money micro={project.prize_amount_micro} short />
        </strong>
      </p>
      <PanelFacts
        facts={[
          ...(isOpen ? endFacts(project) : []),
          [text.closed, closed && timeOf(closed)],
          [text.judgingEnds, project.status === 'judging' && judgingEnds && !hold ? timeOf(judgingEnds) : null],
          [text.heldUntil, hold && (hold.pay_after ? timeOf(hold.pay_after) : text.heldOpen)],
          [isOpen ? text.entries : text.entriesEnded, count(project.total_submissions)],
          [text.places, isOpen ? placesOf(project) : null],
          [text.fee, fee === 0 ? market.card.free : <Money key="fee" micro={fee} />],
          ...more,
        ]}
      />
      {children}
    </Panel>
  );
}

function endFacts({ auto_select_deadline: deadline, closes_at: early }: AnyProject): Fact[] {
  const end = early ?? deadline;
  return [
    [text.closesIn, <TimeLeft key="closes" until={end} />],
    [early ? text.closesEarly : text.deadline, timeOf(end)],
  ];
}

function placesOf({ max_entries: most, places_left: left }: AnyProject): string | null {
  return most === null || left === null ? null : text.placesOf({ left, all: most });
}
