import type { ReactNode } from 'react';
import { Panel, PanelFacts } from '../components/layout/public.ts';
import { Money, TimeLeft } from '../components/values/public.ts';
import { count, timeOf } from '../format/public.ts';
import { market } from '../messages/public.ts';
import type { PublicProject } from './project-data.ts';
import classes from './project-page.module.css';

const text = market.project.fields;

export function ProjectFacts({ project }: { project: PublicProject }) {
  const { entry_fee_micro: fee, judging_ends_at: judgingEnds } = project;
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
          ...(open ? [closes(project.auto_select_deadline)] : []),
          [project.closed_at ? text.closed : text.deadline, timeOf(project.closed_at ?? project.auto_select_deadline)],
          ...(project.status === 'judging' && judgingEnds ? [decided(judgingEnds)] : []),
          [open ? text.entries : text.entriesEnded, count(project.total_submissions)],
          [text.fee, fee === 0 ? market.card.free : <Money key="fee" micro={fee} />],
          [text.winnerGets, <Money key="winner" micro={project.winner_receives_micro} />],
        ]}
      />
    </Panel>
  );
}

type Fact = [label: string, value: ReactNode];

function closes(at: string): Fact {
  return [text.closesIn, <TimeLeft key="closes" until={at} />];
}

function decided(at: string): Fact {
  return [text.judgingEnds, timeOf(at)];
}
