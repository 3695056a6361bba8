import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { Badge, CopyText, Money, RelativeTime, type Tone, TransactionHash } from '../../components/values/public.ts';
import { usdc } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { type Action, useAction } from '../../signed-in/public.ts';
import { type Filter, ListTable, operatorStore, optionsOf, useRefresh } from '../area/public.ts';

type Stray = ApiData<'GET /operator/strays'>['strays'][number];

const text = operator.strays;
const FILTERS: Filter[] = [{ name: 'state', label: text.state, options: optionsOf(text.states) }];
const TONES: Record<Stray['state'], Tone> = { unclaimed: 'warn', claimed: 'quiet', returned: 'good' };

export function StraysPage() {
  const { ask, dialog } = useAction(useRefresh());
  return (
    <Page title={text.title} lead={text.lead}>
      <ListTable
        route="GET /operator/strays"
        filters={FILTERS}
        rowsOf={({ strays }) => strays}
        text={text}
        columns={columnsOf((stray) => ask(returnAction(stray)))}
        rowKey={({ id }) => id}
      />
      {dialog}
    </Page>
  );
}

function returnAction({ id, amount_micro: micro, sender }: Stray): Action {
  return {
    title: text.returnTitle(usdc(micro)),
    text: text.returnText(sender ?? ''),
    confirm: text.return,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/strays/{stray_id}/return';
      return (await operatorStore.api.call(path, { params: { stray_id: id }, body: { reason } })).message;
    },
  };
}

function columnsOf(onReturn: (stray: Stray) => void): Column<Stray>[] {
  const { columns } = text;
  return [
    { key: 'recorded', label: columns.recorded, cell: (row) => <RelativeTime at={row.recorded_at} /> },
    {
      key: 'state',
      label: columns.state,
      cell: ({ state }) => <Badge tone={TONES[state]}>{text.states[state]}</Badge>,
    },
    { key: 'amount', label: columns.amount, numeric: true, cell: (row) => <Money micro={row.amount_micro} /> },
    {
      key: 'sender',
      label: columns.sender,
      cell: ({ sender }) => (sender === null ? text.unknownSender : <CopyText value={sender} what={text.sender} />),
    },
    { key: 'transaction', label: columns.transaction, cell: (row) => <Hash of={row.tx_hash} /> },
    { key: 'returned', label: columns.returned, cell: ({ payout }) => <ReturnedBy payout={payout} /> },
    {
      key: 'return',
      label: columns.action,
      cell: (stray) =>
        stray.state !== 'unclaimed' || stray.sender === null ? null : (
          <Button
            variant="default"
            size="xs"
            onClick={() => onReturn(stray)}
            aria-label={text.returnOf(usdc(stray.amount_micro))}
          >
            {text.return}
          </Button>
        ),
    },
  ];
}

function Hash({ of: hash }: { of: string | null }) {
  return hash === null ? '–' : <TransactionHash hash={hash} />;
}

/** The transfer that gives the money back; until there is one, the state of its payout. */
function ReturnedBy({ payout }: { payout: Stray['payout'] }) {
  if (payout === null) return '–';
  return payout.tx_hash === null ? operator.payouts.states[payout.state] : <TransactionHash hash={payout.tx_hash} />;
}
