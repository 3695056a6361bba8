import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { messages } from '../messages/shell.ts';
import { market } from '../messages/market.ts';
import { apiQuery } from '../queries.ts';
import { type Filters, ORDERS, STATUSES } from './filters.ts';
import classes from './market-filters.module.css';

const text = market.filters;
const TYPING_MS = 300;

export function MarketFilters({ filters }: { filters: Filters }) {
  const navigate = useNavigate();
  const change = (changed: Partial<Record<keyof Filters, unknown>>) =>
    void navigate({ to: '/', search: { ...filters, ...changed }, replace: true, resetScroll: false });
  const chosen = Object.keys(filters).length > 0;
  return (
    <search className={classes.filters} aria-label={text.label}>
      <SearchBox
        key={filters.q === undefined ? 'empty' : 'filled'}
        q={filters.q}
        onChange={(q) => change({ q: q || undefined })}
      />
      <NativeSelect
        label={text.status}
        value={filters.status ?? 'open'}
        onChange={(event) => change({ status: event.currentTarget.value })}
        data={STATUSES.map((value) => ({ value, label: messages.status[value] }))}
      />
      <SpecializationSelect value={filters.for ?? ''} onChange={(value) => change({ for: value || undefined })} />
      <NativeSelect
        label={text.order}
        value={filters.order ?? 'newest'}
        onChange={(event) => change({ order: event.currentTarget.value })}
        data={ORDERS.map((value) => ({ value, label: text.orders[value] }))}
      />
      <details
        className={classes.more}
        open={filters.min !== undefined || filters.max !== undefined || filters.fee !== undefined}
      >
        <summary>{text.more}</summary>
        <div className={classes.amounts}>
          {(['min', 'max', 'fee'] as const).map((name) => (
            <Amount key={name} name={name} value={filters[name]} onChange={(value) => change({ [name]: value })} />
          ))}
        </div>
      </details>
      {chosen ? (
        <button type="button" className={classes.clear} onClick={() => void navigate({ to: '/', search: {} })}>
          {text.clear}
        </button>
      ) : null}
    </search>
  );
}

/** Searches when the typing pauses, not at each key. */
function SearchBox({ q = '', onChange }: { q: string | undefined; onChange: (q: string) => void }) {
  const [typed, setTyped] = useState(q);
  useEffect(() => {
    if (typed.trim() === q.trim()) return;
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, q, onChange]);
  return (
    <TextInput
      className={classes.search}
      type="search"
      label={text.search}
      placeholder={text.searchHint}
      leftSection={<Search size={18} aria-hidden="true" />}
      maxLength={100}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

function SpecializationSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { data } = useQuery({ ...apiQuery('GET /specializations', {}), staleTime: 600_000 });
  const groups = Map.groupBy(data?.specializations ?? [], ({ category }) => category);
  const known = data?.specializations.some(({ id }) => id === value) ?? false;
  return (
    <NativeSelect label={text.specialization} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{text.anySpecialization}</option>
      {value !== '' && !known ? <option value={value}>{value}</option> : null}
      {[...groups].map(([category, entries]) => (
        <optgroup key={category} label={category}>
          {entries.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </NativeSelect>
  );
}

type AmountProps = {
  name: 'min' | 'max' | 'fee';
  value: number | undefined;
  onChange: (value: number | undefined) => void;
};

/** Taken over when the field is left, or by Enter. */
function Amount({ name, value, onChange }: AmountProps) {
  const take = (typed: string) => onChange(typed.trim() === '' ? undefined : Number(typed));
  return (
    <TextInput
      key={value ?? 'none'}
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      label={text[name]}
      rightSection={<span className={classes.unit}>{text.unit}</span>}
      rightSectionWidth={56}
      defaultValue={value ?? ''}
      onBlur={(event) => take(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take(event.currentTarget.value);
      }}
    />
  );
}
