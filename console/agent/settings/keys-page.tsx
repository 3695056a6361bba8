import { Button, NativeSelect } from '@mantine/core';
import { useRef, useState } from 'react';
import { type ApiData, useNow } from '../../api/public.ts';
import { DataTable } from '../../components/data/public.ts';
import { Page, Section } from '../../components/layout/public.ts';
import { Badge, RelativeTime } from '../../components/values/public.ts';
import { shortHash, timeOf } from '../../format/public.ts';
import { agent, owner } from '../../messages/public.ts';
import { type Action, NewSecret, QueryResult, useAction } from '../../signed-in/public.ts';
import { agentStore, useApiQuery, useRefresh } from '../area/public.ts';
import classes from './keys-page.module.css';
import { NewKeyForm } from './new-key-form.tsx';
import { SessionsSection } from './sessions-section.tsx';

type Key = ApiData<'GET /agents/me/keys'>['keys'][number];

const text = agent.keys;
const EVERY_MS = 15_000;
const GRACES = Object.entries(text.graces).map(([value, label]) => ({ value, label }));

export function KeysPage() {
  const keys = useApiQuery('GET /agents/me/keys', {}, EVERY_MS);
  const refresh = useRefresh();
  const { ask, dialog } = useAction(refresh);
  const [fresh, setFresh] = useState<{ key: string; text: string } | null>(null);
  const grace = useRef('0');

  const rotate = (key: Key) => {
    grace.current = '0';
    ask({
      title: text.rotateTitle,
      text: (
        <div className={classes.dialog}>
          <p>{owner.keys.rotateText}</p>
          <NativeSelect
            label={text.grace}
            defaultValue="0"
            data={GRACES}
            onChange={(event) => {
              grace.current = event.currentTarget.value;
            }}
          />
        </div>
      ),
      confirm: text.rotateDo,
      run: async () => {
        const body = { key_id: key.id, grace_seconds: Number(grace.current) };
        const { apiKey } = await agentStore.api.call('POST /agents/me/keys/rotate', { body });
        setFresh({ key: apiKey, text: owner.keys.newText });
        // The session ends with the key that started it.
        if (key.current) await agentStore.signInWithKey(apiKey);
        return text.rotated;
      },
    });
  };
  return (
    <Page title={text.title} lead={text.lead}>
      {fresh === null ? null : (
        <NewSecret
          title={text.newTitle}
          text={fresh.text}
          what={text.apiKey}
          value={fresh.key}
          onDone={() => setFresh(null)}
        />
      )}
      <QueryResult of={keys}>
        {({ keys: rows }) => <KeyTable rows={rows} onRotate={rotate} onRevoke={(key) => ask(revocationOf(key))} />}
      </QueryResult>
      <Section title={text.create.title} lead={text.create.lead}>
        <NewKeyForm
          onCreated={async (key) => {
            setFresh({ key, text: text.create.newText });
            await refresh();
          }}
        />
      </Section>
      <SessionsSection />
      {dialog}
    </Page>
  );
}

function revocationOf(key: Key): Action {
  return {
    title: text.revokeTitle,
    text: (
      <>
        <p>{text.revokeText}</p>
        {key.current ? <p>{text.revokeOwn}</p> : null}
      </>
    ),
    confirm: text.revoke,
    destructive: true,
    run: async () => {
      await agentStore.api.call('DELETE /agents/me/keys/{key_id}', { params: { key_id: key.id } });
      return text.revoked;
    },
  };
}

type KeyTableProps = { rows: Key[]; onRotate: (key: Key) => void; onRevoke: (key: Key) => void };

function KeyTable({ rows, onRotate, onRevoke }: KeyTableProps) {
  const now = useNow();
  const isGood = ({ expiresAt }: Key) => expiresAt === null || Date.parse(expiresAt) > now;
  return (
    <DataTable
      caption={text.caption}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'id',
          label: text.columns.id,
          cell: (key) => (
            <span className={classes.key}>
              <code>{shortHash(key.id)}</code>
              {key.current ? <Badge tone="accent">{text.current}</Badge> : null}
              {isGood(key) ? <Badge tone="good">{text.good}</Badge> : <Badge tone="quiet">{text.ended}</Badge>}
            </span>
          ),
        },
        { key: 'name', label: text.columns.name, cell: ({ name }) => name ?? '–' },
        { key: 'scope', label: text.columns.scope, cell: ({ scope }) => text.scopes[scope] },
        {
          key: 'used',
          label: text.columns.used,
          cell: ({ lastUsedAt: at }) => (at === null ? text.never : <RelativeTime at={at} />),
        },
        {
          key: 'created',
          label: text.columns.created,
          cell: ({ createdAt }) => <span className={classes.when}>{timeOf(createdAt)}</span>,
        },
        {
          key: 'expires',
          label: text.columns.expires,
          cell: ({ expiresAt }) => <span className={classes.when}>{expiresAt ? timeOf(expiresAt) : text.noEnd}</span>,
        },
        {
          key: 'revoke',
          label: text.columns.action,
          cell: (key) =>
            isGood(key) ? (
              <span className={classes.key}>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => onRotate(key)}
                  aria-label={owner.keys.rotateOf({ id: shortHash(key.id) })}
                >
                  {owner.keys.rotateOne}
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => onRevoke(key)}
                  aria-label={text.revokeOf({ id: shortHash(key.id) })}
                >
                  {text.revoke}
                </Button>
              </span>
            ) : null,
        },
      ]}
    />
  );
}
