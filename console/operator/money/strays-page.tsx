import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { Badge, CopyText, Money, RelativeTime, type Tone, TransactionHash } from '../../components/values/public.ts';
import { shortHash, usdc } from '../../format/public.ts';
import { operator, operatorDesk, signedIn } from '../../messages/public.ts';
import { type Action, useAction } from '../../signed-in/public.ts';
import { operatorStore, PartyLinks, useRefresh } from '../area/public.ts';
import { type Filter, ListTable, MONEY_FILTERS, optionsOf, type ShownRows } from '../lists/public.ts';
import { BulkButton, type BulkGiven, type BulkResult } from './bulk.tsx';
import { BulkResults } from './bulk-results.tsx';

type Stray = ApiData<'GET /operator/strays'>['strays'][number];

const text = operator.strays;
const FILTERS: Filter[] = [{ name: 'state', label: text.state, options: optionsOf(text.states) }, ...MONEY_FILTERS];
const TONES: Record<Stray['state'], Tone> = { unclaimed: 'warn', claimed: 'quiet', returned: 'good' };

export function StraysPage() {
  const { ask, dialog } = useAction(useRefresh());
  const [results, setResults] = useState<BulkResult[]>([]);
  return (
    <Page title={text.title} lead={text.lead}>
      <BulkResults of={results} />
      <ListTable
        route="GET /operator/strays"
        filters={FILTERS}
        rowsOf={({ strays }) => strays}
        text={text}
        columns={columnsOf((stray) => ask(returnAction(stray)))}
        rowKey={({ id }) => id}
        bulk={(shown) => <ReturnShown ask={ask} onResults={setResults} shown={shown} />}
      />
      {dialog}
    </Page>
  );
}

/** Returns the unclaimed transfers of the table to their senders. */
function ReturnShown({ shown, ...given }: { shown: ShownRows<Stray> } & BulkGiven) {
  const { bulk } = operatorDesk;
  const unclaimed = shown.rows.filter(({ state }) => state === 'unclaimed');
  const rows = unclaimed.filter(({ sender }) => sender !== null);
  const without = unclaimed.length - rows.length;
  return (
    <BulkButton
      {...given}
      label={bulk.return}
      title={bulk.returnTitle}
      text={bulk.returnText}
      rows={rows}
      notes={[...(without === 0 ? [] : [bulk.noSender({ amount: without })]), ...(shown.hasMore ? [bulk.more] : [])]}
      nameOf={nameOf}
      act={async ({ id }, reason) => await giveBack(id, reason)}
    />
  );
}

function nameOf({ amount_micro: micro, parties, sender }: Stray): string {
  const names = [(parties.agent ?? parties.poster)?.name, sender === null ? null : shortHash(sender)];
  return [`${usdc(micro)} USDC`, ...names.filter((name) => typeof name === 'string')].join(' · ');
}

async function giveBack(id: string, reason: string): Promise<string> {
  const path = 'POST /operator/strays/{stray_id}/return';
  return (await operatorStore.api.call(path, { params: { stray_id: id }, body: { reason } })).message;
}

function returnAction({ id, amount_micro: micro, sender }: Stray): Action {
  return {
    title: text.returnTitle({ amount: usdc(micro) }),
    text: text.returnText({ to: sender ?? '' }),
    confirm: text.return,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => await giveBack(id, reason),
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
    { key: 'parties', label: operatorDesk.parties.agent, cell: ({ parties }) => <PartyLinks of={parties} /> },
    { key: 'transaction', label: columns.transaction, cell: (row) => <Hash of={row.tx_hash} /> },
    { key: 'returned', label: columns.returned, cell: ({ payout }) => <ReturnedBy payout={payout} /> },
    {
      key: 'return',
      label: columns.action,
      acts: true,
      cell: (stray) =>
        stray.state !== 'unclaimed' || stray.sender === null ? null : (
          <Button
            variant="default"
            size="xs"
            onClick={() => onReturn(stray)}
            aria-label={text.returnOf({ amount: usdc(stray.amount_micro) })}
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
