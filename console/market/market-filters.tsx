import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useSpecializations } from '../api/public.ts';
import { SelectField, TextField, useTyped } from '../components/public.ts';
import { decimalText, numberText } from '../format/public.ts';
import { market, messages } from '../messages/public.ts';
import { amountOf, type Filters, MOST_USDC, ORDERS, STATUSES, usualStatus } from './filters.ts';
import classes from './market-filters.module.css';

const text = market.filters;

export function MarketFilters({ filters }: { filters: Filters }) {
  const navigate = useNavigate();
  const change = (changed: Partial<Record<keyof Filters, unknown>>) =>
    void navigate({ to: '/', search: { ...filters, ...changed }, replace: true, resetScroll: false });
  const chosen = Object.keys(filters).length > 0;
  return (
    <search className={classes.filters} aria-label={text.label}>
      <SearchBox q={filters.q ?? ''} onChange={(q) => change({ q: q || undefined })} />
      <SelectField
        label={text.status}
        value={filters.status ?? usualStatus(filters)}
        onChange={(status) => change({ status })}
      >
        {STATUSES.map((value) => (
          <option key={value} value={value}>
            {value === 'all' ? text.all : messages.status[value]}
          </option>
        ))}
      </SelectField>
      <SpecializationSelect value={filters.for ?? ''} onChange={(value) => change({ for: value || undefined })} />
      <SelectField label={text.order} value={filters.order ?? 'newest'} onChange={(order) => change({ order })}>
        {ORDERS.map((value) => (
          <option key={value} value={value}>
            {text.orders[value]}
          </option>
        ))}
      </SelectField>
      <div className={`small ${classes.more}`}>
        <details open={filters.min !== undefined || filters.max !== undefined || filters.fee !== undefined}>
          <summary>{text.more}</summary>
          <div className={classes.amounts}>
            {(['min', 'max', 'fee'] as const).map((name) => (
              <Amount
                key={`${name} ${filters[name] ?? ''}`}
                name={name}
                value={filters[name]}
                onChange={(value) => change({ [name]: value })}
              />
            ))}
          </div>
        </details>
        {chosen ? <ClearFilters /> : null}
      </div>
    </search>
  );
}

function ClearFilters() {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className={`plain small ${classes.clear}`}
      onClick={() => void navigate({ to: '/', search: {} })}
    >
      {text.clear}
    </button>
  );
}

function SearchBox({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  // A page that loads after a click is where the visitor goes: a search now would cancel it.
  const isLeaving = useRouterState({
    select: ({ location, status }) => status === 'pending' && location.pathname !== '/',
  });
  const [typed, setTyped] = useTyped(q, onChange, isLeaving);
  return (
    <div className={classes.search}>
      <TextField
        type="search"
        label={text.search}
        placeholder={text.searchHint}
        before={<Search size={18} aria-hidden="true" />}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
}

function SpecializationSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const specializations = useSpecializations();
  const groups = Map.groupBy(specializations, ({ category }) => category);
  const known = specializations.some(({ id }) => id === value);
  return (
    <SelectField label={text.specialization} value={value} onChange={onChange}>
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
    </SelectField>
  );
}

type AmountProps = {
  name: 'min' | 'max' | 'fee';
  value: number | undefined;
  onChange: (value: number | undefined) => void;
};

/** Applies the amount on blur or Enter. A wrong one stays in the field, and changes no filter. */
function Amount({ name, value, onChange }: AmountProps) {
  const [isWrong, setWrong] = useState(false);
  const take = (typed: string) => {
    const isEmpty = typed.trim() === '';
    const amount = isEmpty ? null : amountOf(decimalText(typed));
    setWrong(!isEmpty && amount === null);
    if (isEmpty || amount !== null) onChange(amount ?? undefined);
  };
  return (
    <TextField
      inputMode="decimal"
      maxLength={20}
      label={text[name]}
      after={text.unit}
      error={isWrong ? text.wrong({ most: MOST_USDC }) : null}
      defaultValue={value === undefined ? '' : numberText(value)}
      onBlur={(event) => take(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take(event.currentTarget.value);
      }}
    />
  );
}
