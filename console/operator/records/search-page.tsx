import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiData } from '../../api/public.ts';
import { type Column, DataTable } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { CopyText, Money, RelativeTime, TransactionHash } from '../../components/values/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { QueryResult, useFilters } from '../../signed-in/public.ts';
import { LIST_MS, named, useApiQuery } from '../area/public.ts';
import { CsvButton } from '../lists/public.ts';
import classes from './search-page.module.css';

type Found = ApiData<'GET /operator/search'>['results'][number];

const text = operatorDesk.search;

/** One search over everything. The text is in the address, so that a search can be linked. */
export function SearchPage() {
  const { values, change } = useFilters(['q']);
  const [typed, setTyped] = useState(values.q ?? '');
  return (
    <Page title={text.title} lead={text.lead}>
      <form
        role="search"
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          change('q', typed.trim());
        }}
      >
        <TextInput
          className={classes.field}
          type="search"
          label={text.label}
          maxLength={100}
          value={typed}
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">{text.go}</Button>
      </form>
      {values.q === undefined ? <p className="soft">{text.start}</p> : <Results q={values.q} />}
    </Page>
  );
}

function Results({ q }: { q: string }) {
  const query = useApiQuery('GET /operator/search', { query: { q } }, LIST_MS);
  return (
    <QueryResult of={query} height={160}>
      {({ results }) =>
        results.length === 0 ? (
          <p role="status">{text.none}</p>
        ) : (
          <>
            <CsvButton route="GET /operator/search" query={{ q }} />
            <DataTable
              caption={text.caption}
              rows={results}
              rowKey={({ kind, id }) => `${kind} ${id}`}
              columns={columns}
            />
          </>
        )
      }
    </QueryResult>
  );
}

function Name({ of: found }: { of: Found }) {
  const { kind, id, name, project_id: projectId } = found;
  if (kind === 'agent')
    return (
      <Link to="/operator/agents/$agentId" params={{ agentId: id }}>
        {name}
      </Link>
    );
  if (kind === 'poster')
    return (
      <Link to="/operator/posters/$posterId" params={{ posterId: id }}>
        {name}
      </Link>
    );
  if (kind === 'stray') return <Link to="/operator/strays">{words(found)}</Link>;
  if (projectId === null) return <MoneyLink of={found} />;
  return (
    <Link to="/operator/projects/$projectId" params={{ projectId }}>
      {words(found)}
    </Link>
  );
}

/** Opens the list at the day of a payment or a payout that belongs to no project, for example of a withdrawal. */
function MoneyLink({ of: found }: { of: Found }) {
  const { kind, created_at: at } = found;
  const day = at.slice(0, 'YYYY-MM-DD'.length);
  return (
    <Link to={kind === 'payment' ? '/operator/payments' : '/operator/payouts'} search={{ from: day, to: day }}>
      {words(found)}
    </Link>
  );
}

/** A title or a name; of money, its kind and its state. */
function words({ kind, name, money_kind: of, state }: Found): string {
  const { payments, payouts, strays } = operator;
  if (state === null) return name;
  if (kind === 'stray') return named(strays.states, state);
  const names = kind === 'payment' ? payments : payouts;
  return `${named(names.kinds, of ?? '')} · ${named(names.states, state)}`;
}

const columns: Column<Found>[] = [
  { key: 'kind', label: text.columns.kind, cell: ({ kind }) => text.kinds[kind] },
  {
    key: 'name',
    label: text.columns.name,
    cell: (found) => (
      <span className={classes.name}>
        <Name of={found} />
      </span>
    ),
  },
  {
    key: 'amount',
    label: text.columns.amount,
    numeric: true,
    cell: ({ amount_micro: micro }) => (micro === null ? '–' : <Money micro={micro} />),
  },
  {
    key: 'transaction',
    label: text.columns.transaction,
    cell: ({ tx_hash: hash }) => (hash === null ? '–' : <TransactionHash hash={hash} />),
  },
  { key: 'created', label: text.columns.created, cell: (row) => <RelativeTime at={row.created_at} /> },
  { key: 'id', label: text.columns.id, cell: ({ id }) => <CopyText value={id} what={text.id} /> },
];
