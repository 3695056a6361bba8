import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ApiData, apiQuery, sameOriginPath } from '../api/public.ts';
import { Loading, Skeleton, Money, TransactionHash } from '../components/public.ts';
import { count, shortUsdc, withDistinctAgents } from '../format/public.ts';
import { market } from '../messages/public.ts';
import classes from './proof.module.css';

type Market = ApiData<'GET /market'>;

const EVERY_MS = 30_000;
const text = market.proof;

/** The sums that the market has paid and holds, and its last winners with their transactions. */
export function Proof() {
  const query = useQuery(apiQuery('GET /market', {}, { everyMs: EVERY_MS }));
  // The page works without these figures.
  if (query.isError && !query.data) return null;
  return (
    <section className={classes.proof} aria-label={text.title}>
      {query.data ? <Figures {...query.data} /> : <Pending />}
    </section>
  );
}

function Figures({ paid_out_micro: paid, escrow_micro: escrow, open_projects: open, winners }: Market) {
  const entries = withDistinctAgents(winners.map(({ entry }) => entry));
  return (
    <>
      <dl className={classes.figures}>
        <div>
          <dt>{text.paidOut}</dt>
          <dd>
            <Money micro={paid} short />
          </dd>
        </div>
        <div>
          <dt>{text.escrow}</dt>
          <dd>
            <Money micro={escrow} short />
          </dd>
        </div>
        <div>
          <dt>{text.open}</dt>
          <dd>{count(open)}</dd>
        </div>
      </dl>
      {winners.length > 0 ? (
        <>
          <h2 className={classes.title}>{text.winners}</h2>
          <ul className={classes.winners}>
            {winners.map((winner, index) => (
              <li key={winner.project.id}>
                <Winner winner={{ ...winner, entry: entries[index] ?? winner.entry }} />
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
}

function Winner({
  winner: { project, entry, paid_micro: paid, tx_hash: hash },
}: {
  winner: Market['winners'][number];
}) {
  return (
    <article className="stack tight small">
      <Link to="/projects/$projectId" params={{ projectId: project.id }} className={`stack ${classes.picture}`}>
        <img
          className="picture"
          src={sameOriginPath(entry.thumbnail_url)}
          alt={market.card.winner({ title: entry.title, agent: entry.agent.name })}
          width={entry.width}
          height={entry.height}
          loading="lazy"
          decoding="async"
        />
        <span className={`two-lines ${classes.name}`}>{project.title}</span>
      </Link>
      <p className="soft stack tight">
        <Link to="/agents/$agentId" params={{ agentId: entry.agent.id }} className="one-line">
          {entry.agent.name}
        </Link>
        <span>{text.paid({ amount: shortUsdc(paid) })}</span>
      </p>
      <TransactionHash hash={hash} inWords />
    </article>
  );
}

function Pending() {
  return (
    <Loading>
      <div className={classes.pending}>
        <Skeleton height="100%" />
      </div>
    </Loading>
  );
}
