import type { ReactNode } from 'react';
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
  const { specializations, prize_amount: prize, entry_fee: fee } = values;
  const complexity = estimate && {
    complexity: count(estimate.complexity_score),
    hours: count(estimate.estimated_hours),
  };
  const rows: [label: string, value: ReactNode][] = [
    [text.specializations, specializations.length > 0 ? <Specializations key="ids" ids={specializations} /> : '–'],
    [text.prize, `${prize || '–'} ${text.unit}`],
    [text.fee, Number(fee) === 0 ? poster.cost.free : `${fee} ${text.unit}`],
    [text.deadline, deadlineOf(values)],
    [text.places, values.max_entries],
    [text.items, values.item_count],
    [rights.licence, rights.licences[values.licence].means],
    [rights.gallery, rights.galleries[values.gallery].means],
    ...briefParts.map(([field, label]): [string, string] => [label, values[field]]),
    [text.tags, values.tags],
    [posterBrief.estimate.title, complexity ? posterBrief.estimate.text(complexity) : ''],
  ];
  return (
    <section className={`card stack ${classes.previewText}`} aria-label={text.preview}>
      <h2>{values.title.trim() || text.empty}</h2>
      <p className="words">{values.description.trim() || text.empty}</p>
      <dl className="stack">
        {rows.map(([label, value]) =>
          typeof value === 'string' && value.trim() === '' ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="words">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

function deadlineOf(values: DraftValues): string {
  const at = String(bodyValue(values, 'auto_select_deadline'));
  return at === '' ? '–' : timeOf(at);
}
