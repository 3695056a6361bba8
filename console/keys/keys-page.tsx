import { Button, NativeSelect, TextInput } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  Badge,
  type Column,
  column,
  DataTable,
  date,
  EmptyState,
  NewSecret,
  Page,
  RelativeTime,
  time,
  wordsIn,
} from '../components/public.ts';
import { keys } from '../messages/public.ts';
import { type Action, QueryResult, useAction } from '../signed-in/public.ts';
import { type Account, type ListedKey, usePart, useReload, WebhooksSection } from '../notifications/public.ts';
import { shortHash } from '../format/public.ts';

/** From the least to the most. */
const SCOPES = { agent: ['read', 'enter', 'owner'], poster: ['read', 'full'] };
const EVERY_MS = 15_000;

type KeysPageProps = {
  account: Account;
  /** Returns a further warning for the dialog that revokes a key; null for a key that needs none. */
  warning?: (key: ListedKey, all: ListedKey[]) => string | null;
  /** Further sections. */
  children?: ReactNode;
};

/** The keys and webhooks of an account. A new key is shown once. */
export function KeysPage({ account, warning, children }: KeysPageProps) {
  const { kind, mayChange } = account;
  const text = keys[kind];
  const query = usePart(account, 'keys', account.keys, EVERY_MS);
  const { ask, dialog } = useAction(useReload(account));
  const [fresh, setFresh] = useState<string | null>(null);
  const revoke = (key: ListedKey, all: ListedKey[]) => ask(revocationOf(account, key, warning?.(key, all) ?? null));
  return (
    <Page
      title={keys.title}
      lead={text.lead}
      actions={
        mayChange ? (
          <Button
            leftSection={<Plus size={18} aria-hidden="true" />}
            onClick={() => ask(creationOf(account, setFresh))}
          >
            {keys.create.do}
          </Button>
        ) : null
      }
    >
      {fresh === null ? null : (
        <NewSecret
          title={keys.newTitle}
          text={text.newText}
          what={keys.apiKey}
          value={fresh}
          onDone={() => setFresh(null)}
        />
      )}
      <QueryResult of={query}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState {...keys.empty} icon={<KeyRound size={32} aria-hidden="true" />} />
          ) : (
            <KeyTable kind={kind} rows={rows} onRevoke={mayChange ? (key) => revoke(key, rows) : undefined} />
          )
        }
      </QueryResult>
      <WebhooksSection account={account} />
      {children}
      {dialog}
    </Page>
  );
}

/** Returns the dialog that issues a key. `onNew` gets the key, which the service tells only once. */
function creationOf({ kind, createKey }: Account, onNew: (key: string) => void): Action {
  return {
    title: keys.create.title,
    text: <NewKeyFields kind={kind} />,
    confirm: keys.create.do,
    run: async (_, fields) => {
      onNew((await createKey(wordsIn(fields, 'name'), wordsIn(fields, 'scope'))).apiKey);
      return keys.create.done;
    },
  };
}

/** Asks for the name and the scope of a new key. */
function NewKeyFields({ kind }: { kind: Account['kind'] }) {
  const text = keys[kind];
  // The least scope, so that nobody gives away more by mistake.
  const [scope, setScope] = useState('read');
  return (
    <div className="stack">
      <p>{text.limit}</p>
      <TextInput
        name="name"
        label={keys.create.name}
        description={text.nameHint}
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      <NativeSelect
        name="scope"
        label={keys.create.scope}
        description={wordOf(text.meanings, scope)}
        data={SCOPES[kind].map((value) => ({ value, label: wordOf(text.scopes, value) }))}
        value={scope}
        onChange={(event) => setScope(event.currentTarget.value)}
      />
    </div>
  );
}

function wordOf(words: Readonly<Record<string, string>>, scope: string): string {
  return words[scope] ?? scope;
}

function revocationOf({ kind, revokeKey }: Account, { id, current }: ListedKey, warning: string | null): Action {
  return {
    title: keys.revokeTitle,
    text: (
      <>
        <p>{keys[kind].revokeText}</p>
        {current ? <p>{keys[kind].revokeOwn}</p> : null}
        {warning === null ? null : <p>{warning}</p>}
      </>
    ),
    confirm: keys.revoke,
    destructive: true,
    run: async () => {
      await revokeKey(id);
      return keys.revoked;
    },
  };
}

/** Returns whether the key works. */
export function isGood({ expiresAt }: { expiresAt: string | null }): boolean {
  return expiresAt === null;
}

type KeyTableProps = {
  kind: Account['kind'];
  rows: ListedKey[];
  /** Without it, the table has no buttons. */
  onRevoke: ((key: ListedKey) => void) | undefined;
};

function KeyTable({ kind, rows, onRevoke }: KeyTableProps) {
  const text = keys[kind];
  const columns: Column<ListedKey>[] = [
    column(keys.columns.id, (key) => (
      <span className="row">
        <code>{shortHash(key.id)}</code>
        {key.current ? <Badge tone="quiet">{keys.current}</Badge> : null}
        {isGood(key) ? <Badge tone="good">{keys.good}</Badge> : <Badge tone="quiet">{keys.ended}</Badge>}
      </span>
    )),
    column(keys.columns.name, ({ name }) => name ?? '–'),
    column(keys.columns.scope, ({ scope }) => wordOf(text.scopes, scope)),
    column(keys.columns.used, ({ lastUsedAt: at }) => (at === null ? keys.never : <RelativeTime at={at} />)),
    date(keys.columns.created, ({ createdAt }) => createdAt),
    time(keys.columns.revoked, ({ expiresAt }) => expiresAt),
  ];
  const action: Column<ListedKey> = {
    label: keys.columns.action,
    acts: true,
    cell: (key) =>
      onRevoke && isGood(key) ? (
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
