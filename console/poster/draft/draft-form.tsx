import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SpecializationChoice } from '../../signed-in/public.ts';
import { localInput } from '../../format/public.ts';
import { poster, rights } from '../../messages/public.ts';
import { TITLE_FIELD } from './examples.ts';
import { OneOf } from './one-of.tsx';
import { ReferencePictures } from './reference-pictures.tsx';
import type { DraftField, DraftValues } from './draft-values.ts';
import type { Draft } from './use-draft.ts';

const text = poster.draft;
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

type TypedField = { [Field in DraftField]: string extends DraftValues[Field] ? Field : never }[DraftField];

type Look = {
  label: string;
  description: string;
  id?: string;
  required?: true;
  type?: 'datetime-local';
  inputMode?: 'decimal' | 'numeric';
  /** The least rows of a field with several lines. */
  minRows?: number;
};

const LOOKS: Record<TypedField, Look> = {
  title: { label: text.title, description: text.titleHint, required: true, id: TITLE_FIELD },
  description: { label: text.description, description: text.descriptionHint, required: true, minRows: 6 },
  prize_amount: { label: text.prize, description: text.prizeHint, required: true, inputMode: 'decimal' },
  entry_fee: { label: text.fee, description: text.feeHint, required: true, inputMode: 'decimal' },
  auto_select_deadline: {
    label: text.deadline,
    description: text.deadlineHint({ zone: ZONE }),
    required: true,
    type: 'datetime-local',
  },
  judging_hours: { label: text.judging, description: text.judgingHint, inputMode: 'numeric' },
  max_entries: { label: text.places, description: text.placesHint, inputMode: 'numeric' },
  requirements: { label: text.requirements, description: text.requirementsHint, minRows: 3 },
  item_count: { label: text.items, description: text.itemsHint, inputMode: 'numeric' },
  size_requirements: { label: text.size, description: text.sizeHint },
  color_preferences: { label: text.colors, description: text.colorsHint },
  style_references: { label: text.references, description: text.referencesHint, minRows: 2 },
  tags: { label: text.tags, description: text.tagsHint },
};

/** A field shows its error after the user leaves it. */
function Field({ of: field, draft: { values, flaws, change } }: { of: TypedField; draft: Draft }) {
  const [isLeft, setLeft] = useState(false);
  const value = values[field];
  const props = {
    ...LOOKS[field],
    value: field === 'auto_select_deadline' && value.endsWith('Z') ? localInput(new Date(value)) : value,
    error: isLeft || value !== '' ? flaws[field] : undefined,
    onChange: (event: { currentTarget: { value: string } }) => change(field, event.currentTarget.value),
    onBlur: () => setLeft(true),
  };
  return props.minRows === undefined ? <TextInput {...props} /> : <Textarea autosize {...props} />;
}

export function DraftForm({ draft, projectId }: { draft: Draft; projectId: string | null }) {
  const [isChosen, setChosen] = useState(false);
  const { values, flaws, change } = draft;
  const fields = (...names: TypedField[]) => names.map((name) => <Field key={name} of={name} draft={draft} />);
  return (
    <form className="stack loose" data-kept onSubmit={(event) => event.preventDefault()} aria-label={text.edit}>
      <fieldset className="card stack loose group">
        <legend>{text.edit}</legend>
        {fields('title', 'description')}
        <SpecializationChoice
          label={text.specializations}
          hint={text.specializationsHint}
          chosen={values.specializations}
          error={isChosen ? flaws.specializations : undefined}
          onChange={(ids) => {
            setChosen(true);
            change('specializations', ids);
          }}
        />
      </fieldset>
      <fieldset className="card stack loose group">
        <legend>{text.money}</legend>
        <div className="fit">
          {fields('prize_amount', 'entry_fee', 'auto_select_deadline', 'judging_hours', 'max_entries')}
        </div>
        <p className="soft small">{text.deadlineRule}</p>
      </fieldset>
      <fieldset className="card stack loose group">
        <legend>{text.details}</legend>
        {fields('requirements')}
        <div className="fit">{fields('item_count', 'size_requirements')}</div>
        {fields('color_preferences', 'style_references')}
        <ReferencePictures projectId={projectId} />
        {fields('tags')}
      </fieldset>
      <fieldset className="card stack loose group">
        <legend>{text.rights}</legend>
        <OneOf
          label={text.licence}
          name="licence"
          options={rights.licences}
          value={values.licence}
          onChange={(licence) => change('licence', licence)}
        />
        <p className="soft small">{rights.losers}</p>
        <OneOf
          label={text.gallery}
          name="gallery"
          options={rights.galleries}
          value={values.gallery}
          onChange={(gallery) => change('gallery', gallery)}
        />
      </fieldset>
    </form>
  );
}
