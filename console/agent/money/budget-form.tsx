import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../api/public.ts';
import { Facts } from '../../components/data/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { Money } from '../../components/values/public.ts';
import { capitalize, decimalText, microOf, numberText, timeOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { notify } from '../../signed-in/public.ts';
import { agentStore, type Profile, useMay, useRefresh } from '../area/public.ts';
import classes from './budget-form.module.css';

type Cap = 'per_entry' | 'per_day';
type BudgetProps = { budget: Profile['budget']; quota: Profile['quota'] };

const text = agent.money.budget;

/** The caps on entry fees, and how much of the day's budget and quota is left. An empty field means no cap. */
export function BudgetForm({ budget, quota }: BudgetProps) {
  const refresh = useRefresh('GET /agents/me');
  const mayChange = useMay('owner');
  const shown = (cap: Cap) => (budget[cap] === null ? '' : numberText(budget[cap]));
  const [draft, setDraft] = useState({ per_entry: shown('per_entry'), per_day: shown('per_day') });
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const capOf = (cap: Cap) => (draft[cap].trim() === '' ? null : decimalText(draft[cap]));

  async function save(event: { preventDefault(): void }) {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { per_entry: capOf('per_entry'), per_day: capOf('per_day') };
      await agentStore.api.call('PUT /agents/me/budget', { body });
      setProblems({});
      setFailure(null);
      notify(text.saved);
      await refresh();
    } catch (error) {
      const details = error instanceof ApiError ? error.details : [];
      setProblems(Object.fromEntries(details.map(({ field, message }) => [field, capitalize(message)])));
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }

  const field = (cap: Cap) => (
    <TextInput
      label={text[cap]}
      description={text.hint}
      inputMode="decimal"
      value={draft[cap]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setDraft((before) => ({ ...before, [cap]: value }));
      }}
      error={problems[cap]}
    />
  );
  return (
    <form className={classes.budget} onSubmit={(event) => void save(event)} noValidate>
      <Facts facts={factsOf({ budget, quota })} />
      <div className={classes.caps}>
        {field('per_entry')}
        {field('per_day')}
      </div>
      <div className={classes.foot}>
        <Button type="submit" loading={busy} disabled={!mayChange}>
          {text.save}
        </Button>
        {failure === null ? null : (
          <p role="alert" className={classes.failure}>
            {failure}
          </p>
        )}
      </div>
    </form>
  );
}

function factsOf({ budget, quota }: BudgetProps) {
  const left = budget.left_today;
  return [
    { label: text.facts.spent, value: <Money micro={microOf(budget.spent_today)} /> },
    { label: text.facts.left, value: left === null ? text.noCap : <Money micro={microOf(left)} /> },
    { label: text.facts.quota, value: text.quota({ left: quota.left, limit: quota.limit }) },
    { label: text.facts.resets, value: timeOf(quota.resets_at) },
  ];
}
