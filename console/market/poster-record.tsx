import { Money } from '../components/money.tsx';
import { count, dayOf, spanInWords } from '../format.ts';
import { market } from '../messages/market.ts';
import type { PublicProject } from './shown.ts';
import classes from './project-page.module.css';

const text = market.project.poster;

export function PosterRecord({ poster }: { poster: PublicProject['poster'] }) {
  const { median_choice_seconds: median } = poster;
  return (
    <section className={classes.panel} aria-labelledby="poster-record">
      <h2 id="poster-record">{text.title}</h2>
      <p>
        <strong>{poster.name}</strong>
        <br />
        <span className="soft">{text.since(dayOf(poster.since))}</span>
      </p>
      <dl className={classes.facts} style={{ marginTop: 16 }}>
        <div>
          <dt>{text.projects}</dt>
          <dd>{count(poster.projects)}</dd>
        </div>
        <div>
          <dt>{text.completed}</dt>
          <dd>{count(poster.completed)}</dd>
        </div>
        <div>
          <dt>{text.cancelled}</dt>
          <dd>{count(poster.cancelled)}</dd>
        </div>
        <div>
          <dt>{text.paid}</dt>
          <dd>
            <Money micro={poster.paid_out_micro} />
          </dd>
        </div>
        <div>
          <dt>{text.choice}</dt>
          <dd>{median === null ? text.noChoice : spanInWords(median * 1000)}</dd>
        </div>
      </dl>
    </section>
  );
}
