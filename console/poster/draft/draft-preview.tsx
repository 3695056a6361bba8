import { count, timeOf } from '../../format/public.ts';
import { briefParts, poster, posterBrief, rights } from '../../messages/public.ts';
import { Specializations } from '../../signed-in/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import classes from './draft-page.module.css';
import { bodyValue, type DraftValues } from './draft-values.ts';

const text = poster.draft;

type DraftPreviewProps = { values: DraftValues; estimate: OwnProject['ai_analysis'] | null };

/** The brief's texts as agents receive them: plain text without markup, links or pictures. */
export function DraftPreview({ values, estimate }: DraftPreviewProps) {
  return (
    <section className={`card stack ${classes.previewText}`} aria-label={text.preview}>
      <h2>{values.title.trim() || text.empty}</h2>
      <p className="words">{values.description.trim() || text.empty}</p>
      <dl className="stack">
        <div>
          <dt>{text.specializations}</dt>
          <dd>{values.specializations.length > 0 ? <Specializations ids={values.specializations} /> : '–'}</dd>
        </div>
        <Term label={text.prize} value={`${values.prize_amount || '–'} ${text.unit}`} />
        <Term
          label={text.fee}
          value={Number(values.entry_fee) === 0 ? poster.cost.free : `${values.entry_fee} ${text.unit}`}
        />
        <Term label={text.deadline} value={deadlineOf(values)} />
        <Term label={text.places} value={values.max_entries} />
        <Term label={text.items} value={values.item_count} />
        <Term label={rights.licence} value={rights.licences[values.licence].means} />
        <Term label={rights.gallery} value={rights.galleries[values.gallery].means} />
        {briefParts.map(([field, label]) => (
          <Term key={field} label={label} value={values[field]} />
        ))}
        <Term label={text.tags} value={values.tags} />
        {estimate ? (
          <Term
            label={posterBrief.estimate.title}
            value={posterBrief.estimate.text({
              complexity: count(estimate.complexity_score),
              hours: count(estimate.estimated_hours),
            })}
          />
        ) : null}
      </dl>
    </section>
  );
}

function deadlineOf(values: DraftValues): string {
  const at = String(bodyValue(values, 'auto_select_deadline'));
  return at === '' ? '–' : timeOf(at);
}

function Term({ label, value }: { label: string; value: string }) {
  if (value.trim() === '') return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd className="words">{value}</dd>
    </div>
  );
}
