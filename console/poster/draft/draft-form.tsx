import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
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

type DraftFormProps = { draft: Draft; projectId: string | null };

/** The form of a draft. A field shows its error after the user leaves it. */
export function DraftForm({ draft, projectId }: DraftFormProps) {
  const [left, setLeft] = useState<ReadonlySet<DraftField>>(new Set());
  const leave = (field: DraftField) => setLeft(new Set([...left, field]));
  const props: FieldProps = (field) => ({
    value: draft.values[field],
    error: left.has(field) || draft.values[field] !== '' ? draft.flaws[field] : undefined,
    onChange: (event: { currentTarget: { value: string } }) => draft.change(field, event.currentTarget.value),
    onBlur: () => leave(field),
  });
  return (
    <form className="stack loose" data-kept onSubmit={(event) => event.preventDefault()} aria-label={text.edit}>
      <fieldset className="card stack loose group">
        <legend>{text.edit}</legend>
        <TextInput id={TITLE_FIELD} label={text.title} description={text.titleHint} required {...props('title')} />
        <Textarea
          label={text.description}
          description={text.descriptionHint}
          required
          autosize
          minRows={6}
          {...props('description')}
        />
        <SpecializationChoice
          label={text.specializations}
          hint={text.specializationsHint}
          chosen={draft.values.specializations}
          error={left.has('specializations') ? draft.flaws.specializations : undefined}
          onChange={(ids) => {
            leave('specializations');
            draft.change('specializations', ids);
          }}
        />
      </fieldset>
      <MoneyGroup props={props} />
      <DetailsGroup props={props}>
        <ReferencePictures projectId={projectId} />
      </DetailsGroup>
      <RightsGroup draft={draft} />
    </form>
  );
}

type FieldProps = (field: TypedField) => {
  value: string;
  error: string | undefined;
  onChange: (event: { currentTarget: { value: string } }) => void;
  onBlur: () => void;
};

type GroupProps = { props: FieldProps };

function MoneyGroup({ props }: GroupProps) {
  const deadline = props('auto_select_deadline');
  return (
    <fieldset className="card stack loose group">
      <legend>{text.money}</legend>
      <div className="fit">
        <TextInput
          label={text.prize}
          description={text.prizeHint}
          required
          inputMode="decimal"
          {...props('prize_amount')}
        />
        <TextInput label={text.fee} description={text.feeHint} required inputMode="decimal" {...props('entry_fee')} />
        <TextInput
          type="datetime-local"
          label={text.deadline}
          description={text.deadlineHint({ zone: ZONE })}
          required
          {...deadline}
          value={deadline.value.endsWith('Z') ? localInput(new Date(deadline.value)) : deadline.value}
        />
        <TextInput
          label={text.judging}
          description={text.judgingHint}
          inputMode="numeric"
          {...props('judging_hours')}
        />
        <TextInput label={text.places} description={text.placesHint} inputMode="numeric" {...props('max_entries')} />
      </div>
      <p className="soft small">{text.deadlineRule}</p>
    </fieldset>
  );
}

function DetailsGroup({ props, children }: GroupProps & { children: ReactNode }) {
  return (
    <fieldset className="card stack loose group">
      <legend>{text.details}</legend>
      <Textarea
        label={text.requirements}
        description={text.requirementsHint}
        autosize
        minRows={3}
        {...props('requirements')}
      />
      <div className="fit">
        <TextInput label={text.items} description={text.itemsHint} inputMode="numeric" {...props('item_count')} />
        <TextInput label={text.size} description={text.sizeHint} {...props('size_requirements')} />
      </div>
      <TextInput label={text.colors} description={text.colorsHint} {...props('color_preferences')} />
      <Textarea
        label={text.references}
        description={text.referencesHint}
        autosize
        minRows={2}
        {...props('style_references')}
      />
      {children}
      <TextInput label={text.tags} description={text.tagsHint} {...props('tags')} />
    </fieldset>
  );
}

/** The rights that the winner grants, and the entries that everyone sees. */
function RightsGroup({ draft }: { draft: Draft }) {
  return (
    <fieldset className="card stack loose group">
      <legend>{text.rights}</legend>
      <OneOf
        label={text.licence}
        name="licence"
        options={rights.licences}
        value={draft.values.licence}
        onChange={(licence) => draft.change('licence', licence)}
      />
      <p className="soft small">{rights.losers}</p>
      <OneOf
        label={text.gallery}
        name="gallery"
        options={rights.galleries}
        value={draft.values.gallery}
        onChange={(gallery) => draft.change('gallery', gallery)}
      />
    </fieldset>
  );
}
