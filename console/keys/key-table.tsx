import { Button } from '@mantine/core';
import { useNow } from '../api/public.ts';
import { type Column, column, DataTable, Badge, date, RelativeTime } from '../components/public.ts';
import { shortHash, timeOf } from '../format/public.ts';
import { keys } from '../messages/public.ts';
import { isGood, type KeyTexts, type ListedKey } from './account.ts';

type KeyTableProps<Scope extends string> = {
  text: KeyTexts<Scope>;
  rows: ListedKey<Scope>[];
  /** Without it, the table has no buttons. */
  onRevoke: ((key: ListedKey<Scope>) => void) | undefined;
};

export function KeyTable<Scope extends string>({ text, rows, onRevoke }: KeyTableProps<Scope>) {
  const now = useNow();
  const columns: Column<ListedKey<Scope>>[] = [
    column(keys.columns.id, (key) => (
      <span className="row">
        <code>{shortHash(key.id)}</code>
        {key.current ? <Badge tone="quiet">{keys.current}</Badge> : null}
        {isGood(key, now) ? <Badge tone="good">{keys.good}</Badge> : <Badge tone="quiet">{keys.ended}</Badge>}
      </span>
    )),
    column(keys.columns.name, ({ name }) => name ?? '–'),
    column(keys.columns.scope, ({ scope }) => text.scopes[scope]),
    column(keys.columns.used, ({ lastUsedAt: at }) => (at === null ? keys.never : <RelativeTime at={at} />)),
    date(keys.columns.created, ({ createdAt }) => createdAt),
    column(keys.columns.expires, ({ expiresAt }) => (expiresAt ? timeOf(expiresAt) : keys.noEnd)),
  ];
  const action: Column<ListedKey<Scope>> = {
    label: keys.columns.action,
    acts: true,
    cell: (key) =>
      onRevoke && isGood(key, now) ? (
        <Button
          variant="default"
          size="xs"
          aria-label={keys.revokeOf({ id: shortHash(key.id) })}
          onClick={() => onRevoke(key)}
        >
          {keys.revoke}
        </Button>
      ) : null,
  };
  return (
    <DataTable
      caption={text.caption}
      rows={rows}
      rowKey={({ id }) => id}
      columns={onRevoke ? [...columns, action] : columns}
    />
  );
}
