import { Button } from '@mantine/core';
import { useState } from 'react';
import { type ApiData, useNow } from '../../api/public.ts';
import { type Column, DataTable } from '../../components/data/public.ts';
import { Page, Section } from '../../components/layout/public.ts';
import { Badge, RelativeTime, type Tone } from '../../components/values/public.ts';
import { timeOf } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { type Action, NewSecret, QueryResult, useAction } from '../../signed-in/public.ts';
import { LIST_MS, operatorStore, Subject, useApiQuery, useMe, useRefresh } from '../area/public.ts';
import { CsvButton } from '../lists/public.ts';
import { addAction, type AddedKey } from './add-operator.tsx';
import { OwnKey } from './own-key.tsx';
import classes from './people.module.css';

type Operator = ApiData<'GET /operator/operators'>['operators'][number];
type State = keyof typeof text.states;

const text = operator.operators;
const TONES: Record<State, Tone> = { active: 'good', expired: 'quiet', revoked: 'quiet' };

export function OperatorsPage() {
  const query = useApiQuery('GET /operator/operators', {}, LIST_MS);
  const me = useMe();
  const { ask, dialog } = useAction(useRefresh());
  const [added, setAdded] = useState<AddedKey | null>(null);
  const isAdmin = me.data?.scopes.includes('admin') ?? false;
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={isAdmin ? <Button onClick={() => ask(addAction(setAdded))}>{text.add}</Button> : null}
    >
      {added === null ? null : (
        <NewSecret
          title={text.newTitle({ name: added.name })}
          text={text.newText}
          what={text.key}
          value={added.key}
          onDone={() => setAdded(null)}
        />
      )}
      <CsvButton route="GET /operator/operators" query={{}} />
      <QueryResult of={query} height={160}>
        {({ operators }) => (
          <Operators
            rows={operators}
            own={me.data?.name ?? null}
            {...(isAdmin ? { onRevoke: (row: Operator) => ask(revokeAction(row, row.name === me.data?.name)) } : {})}
          />
        )}
      </QueryResult>
      <Section title={text.own.title} lead={text.own.lead}>
        <QueryResult of={me} height={160}>
          {(whose) => <OwnKey me={whose} ask={ask} />}
        </QueryResult>
      </Section>
      {dialog}
    </Page>
  );
}

function revokeAction({ name }: Operator, isOwn: boolean): Action {
  return {
    title: text.revokeTitle({ name }),
    text: (
      <div className={classes.dialog}>
        <p>{text.revokeText}</p>
        {isOwn ? <p>{text.revokeOwn}</p> : null}
      </div>
    ),
    confirm: text.revoke,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/operators/{name}/revoke';
      return (await operatorStore.api.call(path, { params: { name }, body: { reason } })).message;
    },
  };
}

type OperatorsProps = {
  rows: Operator[];
  /** The name of the key that reads the page. */
  own: string | null;
  /** Only admins can revoke. */
  onRevoke?: (row: Operator) => void;
};

function Operators({ rows, own, onRevoke }: OperatorsProps) {
  const now = useNow();
  if (rows.length === 0) return <p>{text.none}</p>;
  const stateOf = ({ revoked_at: revoked, expires_at: end }: Operator): State => {
    if (revoked !== null) return 'revoked';
    return end !== null && Date.parse(end) <= now ? 'expired' : 'active';
  };
  return (
    <DataTable
      caption={text.title}
      rows={rows}
      rowKey={({ name, created_at: at }) => `${name} ${at}`}
      columns={columnsOf({ stateOf, own, onRevoke })}
    />
  );
}

type Columns = Pick<OperatorsProps, 'own'> & {
  stateOf: (row: Operator) => State;
  onRevoke: OperatorsProps['onRevoke'];
};

function columnsOf({ stateOf, own, onRevoke }: Columns): Column<Operator>[] {
  const { columns } = text;
  return [
    {
      key: 'name',
      label: columns.name,
      cell: (row) => (
        <span className={classes.buttons}>
          {row.name}
          {row.name === own && stateOf(row) === 'active' ? <Badge tone="accent">{text.you}</Badge> : null}
        </span>
      ),
    },
    {
      key: 'state',
      label: columns.state,
      cell: (row) => <Badge tone={TONES[stateOf(row)]}>{text.states[stateOf(row)]}</Badge>,
    },
    {
      key: 'scopes',
      label: columns.scopes,
      cell: ({ scopes }) => scopes.map((scope) => text.scopes[scope]).join(', '),
    },
    { key: 'codes', label: columns.codes, cell: ({ codes }) => (codes ? text.on : text.off) },
    { key: 'by', label: columns.by, cell: (row) => <Subject subject={row.added_by} /> },
    { key: 'added', label: columns.added, cell: (row) => <RelativeTime at={row.created_at} /> },
    {
      key: 'expires',
      label: columns.expires,
      cell: ({ expires_at: end }) => (
        <span className={classes.when}>{end === null ? signedIn.never : timeOf(end)}</span>
      ),
    },
    {
      key: 'revoke',
      label: columns.action,
      acts: true,
      cell: (row) =>
        onRevoke === undefined || stateOf(row) !== 'active' ? null : (
          <Button
            variant="default"
            size="xs"
            aria-label={text.revokeOf({ name: row.name })}
            onClick={() => onRevoke(row)}
          >
            {text.revoke}
          </Button>
        ),
    },
  ];
}
