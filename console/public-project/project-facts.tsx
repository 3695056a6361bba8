import type { ReactNode } from 'react';
import { Panel, PanelFacts, Money, TimeLeft } from '../components/public.ts';
import { count, timeOf } from '../format/public.ts';
import { market } from '../messages/public.ts';
import type { PublicProject } from './project-data.ts';
import classes from './project-page.module.css';

const text = market.project.fields;

export function ProjectFacts({ project }: { project: PublicProject }) {
  const { entry_fee_micro: fee, judging_ends_at: judgingEnds, result_on_hold: hold } = project;
  const open = project.status === 'open';
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
          ...(open ? endFacts(project) : []),
          ...(project.closed_at ? [[text.closed, timeOf(project.closed_at)] satisfies Fact] : []),
          ...(project.status === 'judging' && judgingEnds && !hold ? [decided(judgingEnds)] : []),
          ...(hold ? [held(hold.pay_after)] : []),
          [open ? text.entries : text.entriesEnded, count(project.total_submissions)],
          ...(open ? placesFacts(project) : []),
          [text.fee, fee === 0 ? market.card.free : <Money key="fee" micro={fee} />],
        ]}
      />
    </Panel>
  );
}

type Fact = [label: string, value: ReactNode];

function endFacts({ auto_select_deadline: deadline, closes_at: early }: PublicProject): Fact[] {
  const end = early ?? deadline;
  return [
    [text.closesIn, <TimeLeft key="closes" until={end} />],
    [early ? text.closesEarly : text.deadline, timeOf(end)],
  ];
}

function placesFacts({ max_entries: most, places_left: left }: PublicProject): Fact[] {
  return most === null || left === null ? [] : [[text.places, text.placesOf({ left, all: most })]];
}

function decided(at: string): Fact {
  return [text.judgingEnds, timeOf(at)];
}

function held(until: string | null): Fact {
  return [text.heldUntil, until ? timeOf(until) : text.heldOpen];
}
