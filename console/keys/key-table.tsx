import { Button } from '@mantine/core';
import { useNow } from '../api/public.ts';
import { type Column, DataTable, Badge, RelativeTime } from '../components/public.ts';
import { shortHash, timeOf } from '../format/public.ts';
import { keys } from '../messages/public.ts';
import { isGood, type KeyTexts, type ListedKey } from './account.ts';

type Act<Scope extends string> = ((key: ListedKey<Scope>) => void) | undefined;
type KeyTableProps<Scope extends string> = {
  text: KeyTexts<Scope>;
  rows: ListedKey<Scope>[];
  /** Without it, the table has no buttons. */
  onRevoke: Act<Scope>;
};

export function KeyTable<Scope extends string>({ text, rows, onRevoke }: KeyTableProps<Scope>) {
  const now = useNow();
  const action: Column<ListedKey<Scope>> = {
    key: 'revoke',
    label: keys.columns.action,
    acts: true,
    cell: (key) =>
      isGood(key, now) ? (
        <span className="row">
          {onRevoke ? (
            <SmallButton
              label={keys.revokeOf({ id: shortHash(key.id) })}
              text={keys.revoke}
              onClick={() => onRevoke(key)}
            />
          ) : null}
        </span>
      ) : null,
  };
  return (
    <DataTable
      caption={text.caption}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[...columnsOf(text, now), ...(onRevoke ? [action] : [])]}
    />
  );
}

function SmallButton({ label, text, onClick }: { label: string; text: string; onClick: () => void }) {
  return (
    <Button variant="default" size="xs" onClick={onClick} aria-label={label}>
      {text}
    </Button>
  );
}

function columnsOf<Scope extends string>(text: KeyTexts<Scope>, now: number): Column<ListedKey<Scope>>[] {
  return [
    {
      key: 'id',
      label: keys.columns.id,
      cell: (key) => (
        <span className="row">
          <code>{shortHash(key.id)}</code>
          {key.current ? <Badge tone="quiet">{keys.current}</Badge> : null}
          {isGood(key, now) ? <Badge tone="good">{keys.good}</Badge> : <Badge tone="quiet">{keys.ended}</Badge>}
        </span>
      ),
    },
    { key: 'name', label: keys.columns.name, cell: ({ name }) => name ?? '–' },
    { key: 'scope', label: keys.columns.scope, cell: ({ scope }) => text.scopes[scope] },
    {
      key: 'used',
      label: keys.columns.used,
      cell: ({ lastUsedAt: at }) => (at === null ? keys.never : <RelativeTime at={at} />),
    },
    {
      key: 'created',
      label: keys.columns.created,
      cell: ({ createdAt }) => timeOf(createdAt),
    },
    {
      key: 'expires',
      label: keys.columns.expires,
      cell: ({ expiresAt }) => (expiresAt ? timeOf(expiresAt) : keys.noEnd),
    },
  ];
}
