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
  wordsIn,
} from '../components/public.ts';
import { keys } from '../messages/public.ts';
import { type Action, QueryResult, useAction } from '../signed-in/public.ts';
import { isGood, type KeyedAccount, type KeyTexts, type ListedKey } from './account.ts';
import { useNow } from '../api/public.ts';
import { shortHash, timeOf } from '../format/public.ts';

type KeysPageProps<Scope extends string> = {
  account: KeyedAccount<Scope>;
  /** Further sections. */
  children?: ReactNode;
};

/** The keys of an account: creates and revokes them. A new key is shown once. */
export function KeysPage<Scope extends string>({ account, children }: KeysPageProps<Scope>) {
  const { text, query, mayChange } = account;
  const { ask, dialog } = useAction(account.refresh);
  const [fresh, setFresh] = useState<{ key: string; text: string } | null>(null);
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
          text={fresh.text}
          what={keys.apiKey}
          value={fresh.key}
          onDone={() => setFresh(null)}
        />
      )}
      <QueryResult of={query}>
        {({ keys: rows }) =>
          rows.length === 0 ? (
            <EmptyState {...keys.empty} icon={<KeyRound size={32} aria-hidden="true" />} />
          ) : (
            <KeyTable
              text={text}
              rows={rows}
              onRevoke={mayChange ? (key) => ask(revocationOf(account, key, rows)) : undefined}
            />
          )
        }
      </QueryResult>
      {children}
      {dialog}
    </Page>
  );
}

type OnNew = (fresh: { key: string; text: string }) => void;

/** Returns the dialog that issues a key. `onNew` gets the key, which the service tells only once. */
function creationOf<Scope extends string>({ text, scopes, create }: KeyedAccount<Scope>, onNew: OnNew): Action {
  return {
    title: keys.create.title,
    text: <NewKeyFields text={text} scopes={scopes} />,
    confirm: keys.create.do,
    run: async (_, fields) => {
      // The least scope, so that nobody gives away more by mistake.
      const scope = scopes.find((each) => each === wordsIn(fields, 'scope')) ?? scopes[0];
      onNew({ key: (await create(wordsIn(fields, 'name'), scope)).apiKey, text: text.newText });
      return keys.create.done;
    },
  };
}

/** Asks for the name and the scope of a new key. */
function NewKeyFields<Scope extends string>({ text, scopes }: Pick<KeyedAccount<Scope>, 'text' | 'scopes'>) {
  const [scope, setScope] = useState(scopes[0]);
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
        description={text.meanings[scope]}
        data={scopes.map((value) => ({ value, label: text.scopes[value] }))}
        value={scope}
        onChange={(event) => setScope(scopes.find((each) => each === event.currentTarget.value) ?? scopes[0])}
      />
    </div>
  );
}

function revocationOf<Scope extends string>(
  { consequences, revoke }: KeyedAccount<Scope>,
  key: ListedKey<Scope>,
  all: ListedKey<Scope>[],
): Action {
  return {
    title: keys.revokeTitle,
    text: consequences(key, all),
    confirm: keys.revoke,
    destructive: true,
    run: async () => {
      await revoke(key.id);
      return keys.revoked;
    },
  };
}

type KeyTableProps<Scope extends string> = {
  text: KeyTexts<Scope>;
  rows: ListedKey<Scope>[];
  /** Without it, the table has no buttons. */
  onRevoke: ((key: ListedKey<Scope>) => void) | undefined;
};

function KeyTable<Scope extends string>({ text, rows, onRevoke }: KeyTableProps<Scope>) {
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
