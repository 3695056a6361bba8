import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { Badge, RelativeTime, type Tone } from '../../components/values/public.ts';
import { shortHash } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import { type Action, useAction } from '../../signed-in/public.ts';
import { operatorStore, PartyLinks, useRefresh } from '../area/public.ts';
import { DAY_FILTERS, type Filter, ListTable, optionsOf } from '../lists/public.ts';
import classes from './disputes.module.css';

type Objection = ApiData<'GET /operator/objections'>['objections'][number];
type State = NonNullable<Objection['decision']> | 'open';
type Decide = (objection: Objection, decision: 'upheld' | 'dismissed') => void;

const text = operator.objections;
const FILTERS: Filter[] = [
  { name: 'decision', label: text.decision, options: optionsOf(text.decisions) },
  { name: 'project_id', label: text.project, linked: text.oneProject },
  ...DAY_FILTERS,
];
const TONES: Record<State, Tone> = { open: 'warn', upheld: 'bad', dismissed: 'quiet', lapsed: 'quiet' };

export function ObjectionsPage() {
  const { ask, dialog } = useAction(useRefresh());
  return (
    <Page title={text.title} lead={text.lead}>
      <ListTable
        route="GET /operator/objections"
        filters={FILTERS}
        rowsOf={({ objections }) => objections}
        text={text}
        columns={columnsOf((objection, decision) => ask(decideAction(objection, decision)))}
        rowKey={({ id }) => id}
      />
      {dialog}
    </Page>
  );
}

function decideAction({ id }: Objection, decision: 'upheld' | 'dismissed'): Action {
  return {
    title: text.question[decision],
    text: text.text[decision],
    confirm: decision === 'upheld' ? text.uphold : text.dismiss,
    reason: operator.agent.reason,
    run: async (reason) => {
      const path = 'POST /operator/objections/{objection_id}/decision';
      const body = { decision, reason };
      return (await operatorStore.api.call(path, { params: { objection_id: id }, body })).message;
    },
  };
}

function columnsOf(onDecide: Decide): Column<Objection>[] {
  const { columns } = text;
  return [
    { key: 'created', label: columns.created, cell: (row) => <RelativeTime at={row.created_at} /> },
    {
      key: 'decision',
      label: columns.decision,
      cell: ({ decision }) => <Badge tone={TONES[decision ?? 'open']}>{text.decisions[decision ?? 'open']}</Badge>,
    },
    { key: 'parties', label: columns.project, cell: ({ parties }) => <PartyLinks of={parties} /> },
    { key: 'reason', label: columns.reason, cell: ({ reason }) => <span className={classes.note}>{reason}</span> },
    {
      key: 'decided',
      label: columns.decided,
      cell: (row) => <span className={classes.note}>{row.decision_reason ?? '–'}</span>,
    },
    {
      key: 'act',
      label: columns.action,
      acts: true,
      cell: (objection) => <Act objection={objection} onDecide={onDecide} />,
    },
  ];
}

function Act({ objection, onDecide }: { objection: Objection; onDecide: Decide }) {
  if (objection.decision !== null) return null;
  const agent = objection.parties.agent?.name ?? shortHash(objection.agent_id);
  return (
    <span className={classes.buttons}>
      <Button
        variant="default"
        size="xs"
        aria-label={text.upholdOf({ agent })}
        onClick={() => onDecide(objection, 'upheld')}
      >
        {text.uphold}
      </Button>
      <Button
        variant="default"
        size="xs"
        aria-label={text.dismissOf({ agent })}
        onClick={() => onDecide(objection, 'dismissed')}
      >
        {text.dismiss}
      </Button>
    </span>
  );
}
