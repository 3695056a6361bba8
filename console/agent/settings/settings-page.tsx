import { Button, Checkbox, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { ApiError, type ApiInput, useCategories } from '../../api/public.ts';
import { Avatar, Failure, InputError, Page, useWork, wordsIn } from '../../components/public.ts';
import { capitalize, decimalText, numberText } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { notify, QueryResult, SpecializationChoice } from '../../signed-in/public.ts';
import { agentStore, type Profile, useMay, useProfile, useRefresh } from '../area/agent-store.ts';

const text = agent.settings;
type Body = ApiInput<'PUT /agents/me'>['body'];

export function SettingsPage() {
  const profile = useProfile();
  return (
    <Page title={text.title} lead={text.lead}>
      <QueryResult of={profile}>{({ agent: own }) => <SettingsForm own={own} />}</QueryResult>
    </Page>
  );
}

type Own = Profile['agent'];
/** Returns the props of a field, whose name is its path in the request, such as `settings.minBudget`. */
type Field = (name: string, label: string, description?: string) => FieldProps;
type FieldProps = { name: string; label: string; description: string | undefined; error: string | undefined };
type Part = { own: Own; field: Field };

/** The fields start with the profile's values, and keep their input when the profile is refetched. */
function SettingsForm({ own }: { own: Own }) {
  const refresh = useRefresh();
  const mayChange = useMay('owner');
  const hasCategories = useCategories().length > 0;
  const form = useRef<HTMLFormElement>(null);
  const [avatarSeed, setAvatarSeed] = useState<string | null>(null);
  const [specializations, setSpecializations] = useState(own.specializations);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const { busy, failure, act } = useWork();
  const field: Field = (name, label, description) => ({ name, label, description, error: problems[name] });

  async function save() {
    setProblems({});
    const typed = new FormData(form.current ?? undefined);
    const seed = avatarSeed === null ? {} : { avatar_seed: avatarSeed };
    const body = { ...bodyOf(typed, own, hasCategories), ...seed, specializations };
    await agentStore.api.call('PUT /agents/me', { body }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.details.length === 0) throw error;
      setProblems(Object.fromEntries(error.details.map((each) => [each.field, capitalize(each.message)])));
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      throw new InputError(text.wrong);
    });
    notify(text.saved);
    await refresh();
  }

  return (
    <form ref={form} className="stack loose form" onSubmit={act(save)} noValidate>
      <Group title={text.about}>
        <TextInput {...field('agent_name', text.name, text.nameHint)} defaultValue={own.name} maxLength={100} />
        <div className="row">
          <Avatar url={`/api/v1/avatars/${own.id}${avatarSeed === null ? '' : `?seed=${avatarSeed}`}`} size={64} />
          <Button variant="default" size="xs" onClick={() => setAvatarSeed(crypto.randomUUID())}>
            {text.otherPicture}
          </Button>
        </div>
        <Textarea
          {...field('description', text.description, text.descriptionHint)}
          defaultValue={own.description}
          autosize
          minRows={3}
          maxLength={5000}
        />
        <SpecializationChoice
          label={text.specializations}
          hint={text.specializationsHint}
          chosen={specializations}
          error={problems['specializations']}
          onChange={setSpecializations}
        />
      </Group>
      <Taking own={own} field={field} />
      <Hours own={own} field={field} />
      <div className="row">
        <Button type="submit" loading={busy} disabled={!mayChange}>
          {text.save}
        </Button>
        <Failure>{failure}</Failure>
      </div>
    </form>
  );
}

/**
 * Reads the fields. The service checks them, so text that is no number is sent as it is. The chosen categories are
 * left out, and stay, while the catalog has not been read.
 */
function bodyOf(typed: FormData, { settings }: Own, hasCategories: boolean): Body {
  const words = (name: string) => wordsIn(typed, name);
  const number = (name: string) => {
    const digits = decimalText(words(name));
    return digits === '' ? null : ((Number.isNaN(Number(digits)) ? digits : Number(digits)) as number);
  };
  const most = 'settings.maxConcurrentProjects';
  const isMostChanged = words(most) !== numberText(settings.maxConcurrentProjects);
  const hours = (name: string) => words(`settings.workingHours.${name}`);
  return {
    agent_name: words('agent_name'),
    description: words('description'),
    settings: {
      autoParticipate: typed.has('settings.autoParticipate'),
      filterWebhooks: typed.has('settings.filterWebhooks'),
      // Null unsets it, so that it rises with the tier. The field shows the limit of the tier, which would stay if it was sent.
      ...(isMostChanged ? { maxConcurrentProjects: number(most) } : {}),
      minBudget: number('settings.minBudget') as number,
      maxBudget: number('settings.maxBudget') as number,
      ...(hasCategories ? { preferredCategories: typed.getAll('settings.preferredCategories').map(String) } : {}),
      workingHours: {
        timezone: hours('timezone'),
        start: hours('start'),
        end: hours('end'),
        weekends: typed.has('settings.workingHours.weekends'),
      },
    },
  };
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="card stack group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function Taking({ own: { settings }, field }: Part) {
  const number = (name: 'maxConcurrentProjects' | 'minBudget' | 'maxBudget', label: string, hint: string) => (
    <TextInput
      {...field(`settings.${name}`, label, hint)}
      inputMode="decimal"
      defaultValue={numberText(settings[name])}
    />
  );
  const { name, ...categories } = field('settings.preferredCategories', text.categories, text.categoriesHint);
  return (
    <Group title={text.taking}>
      <Switch
        {...field('settings.autoParticipate', text.auto, text.autoHint)}
        defaultChecked={settings.autoParticipate}
      />
      <Switch
        {...field('settings.filterWebhooks', text.filter, text.filterHint)}
        defaultChecked={settings.filterWebhooks}
      />
      <div className="fit">
        {number('maxConcurrentProjects', text.concurrent, text.concurrentHint)}
        {number('minBudget', `${text.budget}: ${text.min}`, text.unit)}
        {number('maxBudget', `${text.budget}: ${text.max}`, text.unit)}
      </div>
      <Checkbox.Group {...categories} defaultValue={settings.preferredCategories}>
        <div className="tiles">
          {useCategories().map((category) => (
            <Checkbox key={category} name={name} value={category} label={category} />
          ))}
        </div>
      </Checkbox.Group>
    </Group>
  );
}

function Hours({ own: { settings }, field }: Part) {
  const { timezone, start, end, weekends } = settings.workingHours;
  const hours = (name: string, label: string, hint?: string) => field(`settings.workingHours.${name}`, label, hint);
  return (
    <Group title={text.hours}>
      <div className="fit">
        <TextInput
          {...hours('timezone', text.timezone, text.timezoneHint)}
          list="zones"
          defaultValue={timezone}
          maxLength={64}
        />
        <TextInput type="time" {...hours('start', text.start, text.hoursHint)} defaultValue={start} />
        <TextInput type="time" {...hours('end', text.end, text.hoursHint)} defaultValue={end} />
      </div>
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Switch {...hours('weekends', text.weekends)} defaultChecked={weekends} />
    </Group>
  );
}
