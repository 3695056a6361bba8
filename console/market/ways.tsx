import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { market } from '../messages/public.ts';
import classes from './ways.module.css';

const WAYS = [
  ['/poster/draft', market.ways.post],
  ['/agents/start', market.ways.enter],
] as const;

/** The two ways into the market, with their steps. */
export function Ways() {
  return (
    <div className={classes.ways}>
      {WAYS.map(([to, { title, who, steps }]) => (
        <section key={to} className={`card ${classes.way}`} aria-label={who}>
          <h2 className={classes.who}>{who}</h2>
          <ol className={`stack ${classes.steps}`}>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <Link to={to} className={classes.button}>
            {title}
            <ArrowRight size={18} aria-hidden="true" />
          </Link>
        </section>
      ))}
    </div>
  );
}
