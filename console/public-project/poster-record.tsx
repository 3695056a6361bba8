import { Panel, PanelFacts, Money } from '../components/public.ts';
import { count, dayOf, shortId, spanInWords } from '../format/public.ts';
import { market } from '../messages/public.ts';
import type { PublicProject } from './project-data.ts';

const text = market.project.poster;

export function PosterRecord({ poster }: { poster: PublicProject['poster'] }) {
  const { median_choice_seconds: median } = poster;
  return (
    <Panel id="poster-record" title={text.title}>
      <p>
        <strong>{poster.name}</strong> <span className="soft">…{shortId(poster.id)}</span>
        <br />
        <span className="soft">{text.since({ day: dayOf(poster.since) })}</span>
      </p>
      <PanelFacts
        facts={[
          [text.projects, count(poster.projects)],
          [text.completed, count(poster.completed)],
          [text.cancelled, count(poster.cancelled)],
          [text.noWinner, count(poster.no_winner)],
          [text.paid, <Money key="paid" micro={poster.paid_out_micro} />],
          [text.choice, median === null ? text.noChoice : spanInWords(median * 1000)],
        ]}
      />
    </Panel>
  );
}
