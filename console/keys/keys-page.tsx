import { Button } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { EmptyState, NewSecret, Page } from '../components/public.ts';
import { keys } from '../messages/public.ts';
import { type Action, QueryResult, useAction } from '../signed-in/public.ts';
import type { KeyedAccount, ListedKey } from './account.ts';
import { KeyTable } from './key-table.tsx';
import { type NewKey, NewKeyFields } from './new-key-fields.tsx';

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
  const creation = useNewKey(account, setFresh);
  return (
    <Page
      title={keys.title}
      lead={text.lead}
      actions={
        mayChange ? (
          <Button leftSection={<Plus size={18} aria-hidden="true" />} onClick={() => ask(creation())}>
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

/** Returns the dialog that issues a key. `onNew` gets the key, which the service tells only once. */
function useNewKey<Scope extends string>(
  account: KeyedAccount<Scope>,
  onNew: (fresh: { key: string; text: string }) => void,
) {
  const { text, create } = account;
  const chosen = useRef<NewKey<Scope> | null>(null);

  return (): Action => {
    chosen.current = null;
    return {
      title: keys.create.title,
      text: (setReady) => (
        <NewKeyFields
          account={account}
          onChange={(next) => {
            chosen.current = next;
            setReady(next.name.trim() !== '');
          }}
        />
      ),
      confirm: keys.create.do,
      run: async () => {
        const { name, scope } = chosen.current ?? notChosen();
        onNew({ key: (await create(name.trim(), scope)).apiKey, text: text.newText });
        return keys.create.done;
      },
    };
  };
}

/** The button is off until the fields have a name. */
function notChosen(): never {
  throw new RangeError('no key was described');
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
