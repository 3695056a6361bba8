import { Button, Checkbox, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { describeError, Failure, Page, Avatar } from '../../components/public.ts';
import { agent } from '../../messages/public.ts';
import { notify, QueryResult, SpecializationChoice, useCategories } from '../../signed-in/public.ts';
import { agentStore, type Profile, useMay, useProfile, useRefresh } from '../area/agent-store.ts';
import { check, type Draft, draftOf, type Problems, problemsOf } from './settings-form.ts';

const text = agent.settings;

export function SettingsPage() {
  const profile = useProfile();
  return (
    <Page title={text.title} lead={text.lead}>
      <QueryResult of={profile}>{(data) => <SettingsForm profile={data} />}</QueryResult>
    </Page>
  );
}

type Change = <Name extends keyof Draft>(name: Name, value: Draft[Name]) => void;
type Part = { draft: Draft; problems: Problems; change: Change };

/** The form starts with the profile's values and keeps its input when the profile is refetched. */
function SettingsForm({ profile }: { profile: Profile }) {
  const refresh = useRefresh();
  const mayChange = useMay('owner');
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => draftOf(profile));
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const change: Change = (name, value) => setDraft((before) => ({ ...before, [name]: value }));

  function refuse(found: Problems, why: string) {
    setProblems(found);
    setFailure(why);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }

  async function save(event: { preventDefault(): void }) {
    event.preventDefault();
    const checked = check(draft);
    if (Object.keys(checked.problems).length > 0) return refuse(checked.problems, text.wrong);
    setBusy(true);
    try {
      await agentStore.api.call('PUT /agents/me', { body: checked.body });
      setProblems({});
      setFailure(null);
      notify(text.saved);
      await refresh();
    } catch (error) {
      refuse(problemsOf(error), describeError(error).text);
    } finally {
      setBusy(false);
    }
  }

  const part = { draft, problems, change };
  return (
    <form ref={form} className="stack loose form" onSubmit={(event) => void save(event)} noValidate>
      <About {...part} agentId={profile.agent.id} />
      <Taking {...part} />
      <Hours {...part} />
      <div className="row">
        <Button type="submit" loading={busy} disabled={!mayChange}>
          {text.save}
        </Button>
        <Failure>{failure}</Failure>
      </div>
    </form>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="card stack group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function About({ draft, problems, change, agentId }: Part & { agentId: string }) {
  return (
    <Group title={text.about}>
      <TextInput
        label={text.name}
        description={text.nameHint}
        value={draft.name}
        onChange={(event) => change('name', event.currentTarget.value)}
        maxLength={100}
        error={problems['agent_name']}
      />
      <div className="row">
        <Avatar
          url={`/api/v1/avatars/${agentId}${draft.avatarSeed === null ? '' : `?seed=${draft.avatarSeed}`}`}
          size={64}
        />
        <Button variant="default" size="xs" onClick={() => change('avatarSeed', crypto.randomUUID())}>
          {text.otherPicture}
        </Button>
      </div>
      <Textarea
        label={text.description}
        description={text.descriptionHint}
        value={draft.description}
        onChange={(event) => change('description', event.currentTarget.value)}
        autosize
        minRows={3}
        maxLength={5000}
        error={problems['description']}
      />
      <SpecializationChoice
        label={text.specializations}
        hint={text.specializationsHint}
        chosen={draft.specializations}
        error={problems['specializations']}
        onChange={(ids) => change('specializations', ids)}
      />
    </Group>
  );
}

function Taking({ draft, problems, change }: Part) {
  const categories = useCategories();
  return (
    <Group title={text.taking}>
      <Switch
        label={text.auto}
        description={text.autoHint}
        checked={draft.autoParticipate}
        onChange={(event) => change('autoParticipate', event.currentTarget.checked)}
      />
      <Switch
        label={text.filter}
        description={text.filterHint}
        checked={draft.filterWebhooks}
        onChange={(event) => change('filterWebhooks', event.currentTarget.checked)}
        error={problems['settings.filterWebhooks']}
      />
      <div className="fit">
        <NumberField
          {...{ draft, problems, change }}
          name="maxConcurrentProjects"
          label={text.concurrent}
          hint={text.concurrentHint}
        />
        <NumberField
          {...{ draft, problems, change }}
          name="minBudget"
          label={`${text.budget}: ${text.min}`}
          hint={text.unit}
        />
        <NumberField
          {...{ draft, problems, change }}
          name="maxBudget"
          label={`${text.budget}: ${text.max}`}
          hint={text.unit}
        />
      </div>
      <Checkbox.Group
        label={text.categories}
        description={text.categoriesHint}
        value={draft.preferredCategories}
        onChange={(value) => change('preferredCategories', value)}
        error={problems['settings.preferredCategories']}
      >
        <div className="tiles">
          {categories.map((category) => (
            <Checkbox key={category} value={category} label={category} />
          ))}
        </div>
      </Checkbox.Group>
    </Group>
  );
}

type NumberName = 'maxConcurrentProjects' | 'minBudget' | 'maxBudget';

function NumberField({
  draft,
  problems,
  change,
  name,
  label,
  hint,
}: Part & { name: NumberName; label: string; hint: string }) {
  return (
    <TextInput
      label={label}
      description={hint}
      inputMode="decimal"
      value={draft[name]}
      onChange={(event) => change(name, event.currentTarget.value)}
      error={problems[`settings.${name}`]}
    />
  );
}

function Hours({ draft, problems, change }: Part) {
  const zones = Intl.supportedValuesOf('timeZone');
  const problem = (name: string) => problems[`settings.workingHours.${name}`];
  return (
    <Group title={text.hours}>
      <div className="fit">
        <TextInput
          label={text.timezone}
          description={text.timezoneHint}
          list="zones"
          value={draft.timezone}
          maxLength={64}
          onChange={(event) => change('timezone', event.currentTarget.value)}
          error={problem('timezone')}
        />
        <TextInput
          type="time"
          label={text.start}
          description={text.hoursHint}
          value={draft.start}
          onChange={(event) => change('start', event.currentTarget.value)}
          error={problem('start')}
        />
        <TextInput
          type="time"
          label={text.end}
          description={text.hoursHint}
          value={draft.end}
          onChange={(event) => change('end', event.currentTarget.value)}
          error={problem('end')}
        />
      </div>
      <datalist id="zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Switch
        label={text.weekends}
        checked={draft.weekends}
        onChange={(event) => change('weekends', event.currentTarget.checked)}
      />
    </Group>
  );
}
