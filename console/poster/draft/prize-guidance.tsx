import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/public.ts';
import { count, usdc } from '../../format/public.ts';
import { posterBrief } from '../../messages/public.ts';
import classes from './brief-help.module.css';
import type { DraftValues } from './draft-values.ts';

const text = posterBrief.guidance;

/** Says what similar completed briefs paid: those of the first specialization, with as many pictures. */
export function PrizeGuidance({ values }: { values: DraftValues }) {
  const [specialization] = values.specializations;
  if (specialization === undefined) return null;
  const items = Number(values.item_count);
  return <Guidance specialization={specialization} items={items >= 1 && items <= 20 ? Math.trunc(items) : 1} />;
}

function Guidance({ specialization, items }: { specialization: string; items: number }) {
  const query = { specialization, item_count: items };
  const { data } = useQuery({ ...apiQuery('GET /market/prizes', { query }), staleTime: 600_000 });
  if (!data) return null;
  const { prize_micro: prize, entries, projects, needed } = data;
  if (!prize || !entries) return <p className={classes.note}>{text.notEnough({ projects, needed })}</p>;
  const [low, median, high] = [prize.lower_quartile, prize.median, prize.upper_quartile].map(usdc);
  const [fewest, usual, most] = [entries.lower_quartile, entries.median, entries.upper_quartile].map((each) =>
    count(Math.round(each)),
  );
  return (
    <p className={classes.note}>
      {text.enough({ projects, low: low ?? '', median: median ?? '', high: high ?? '' })}{' '}
      {text.entries({ low: fewest ?? '', median: usual ?? '', high: most ?? '' })}
    </p>
  );
}
