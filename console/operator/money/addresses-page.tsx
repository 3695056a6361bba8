import { Button, TextInput } from '@mantine/core';
import { type ApiData, useNow } from '../../api/public.ts';
import { withdrawalAddressOperations } from '../../../contract/operator/withdrawal-addresses.ts';
import { type Column, DataTable } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { Badge, RelativeTime } from '../../components/values/public.ts';
import { timeOf } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { type Action, QueryResult, useAction } from '../../signed-in/public.ts';
import { checkValue, LIST_MS, operatorStore, Subject, useApiQuery, useRefresh } from '../area/public.ts';
import { CsvButton } from '../lists/public.ts';
import classes from './money.module.css';

type Address = ApiData<'GET /operator/withdrawal-addresses'>['addresses'][number];

const text = operator.addresses;
const { address: schema } = withdrawalAddressOperations.addWithdrawalAddress.body.shape;

/** The addresses that withdrawals can go to. */
export function AddressesPage() {
  const query = useApiQuery('GET /operator/withdrawal-addresses', {}, LIST_MS);
  const { ask, dialog } = useAction(useRefresh());
  const now = useNow();
  const onRemove = (address: Address) => ask(removeAction(address));
  return (
    <Page title={text.title} lead={text.lead} actions={<Button onClick={() => ask(addAction())}>{text.add}</Button>}>
      <CsvButton route="GET /operator/withdrawal-addresses" query={{}} />
      <QueryResult of={query} height={160}>
        {({ addresses }) =>
          addresses.length === 0 ? (
            <p>{text.none}</p>
          ) : (
            <DataTable
              caption={text.title}
              rows={addresses}
              rowKey={({ address }) => address}
              columns={columnsOf(now, onRemove)}
            />
          )
        }
      </QueryResult>
      {dialog}
    </Page>
  );
}

function addAction(): Action {
  const given = { address: '' };
  return {
    title: text.addTitle,
    text: (
      <div className={classes.dialog}>
        <p>{text.addText}</p>
        <TextInput
          label={text.label}
          placeholder={text.placeholder}
          required
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={(event) => {
            given.address = event.currentTarget.value.trim();
          }}
        />
      </div>
    ),
    confirm: text.add,
    reason: signedIn.reason,
    run: async (reason) => {
      checkValue(text.label, schema, given.address);
      const body = { address: given.address, reason };
      return (await operatorStore.api.call('POST /operator/withdrawal-addresses', { body })).message;
    },
  };
}

function removeAction({ address }: Address): Action {
  return {
    title: text.removeTitle,
    text: text.removeText({ address }),
    confirm: text.remove,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/withdrawal-addresses/{address}/remove';
      return (await operatorStore.api.call(path, { params: { address }, body: { reason } })).message;
    },
  };
}

function columnsOf(now: number, onRemove: (address: Address) => void): Column<Address>[] {
  const { columns } = text;
  return [
    // The whole address: people compare each digit of it.
    {
      key: 'address',
      label: columns.address,
      cell: ({ address }) => <code className={classes.address}>{address}</code>,
    },
    {
      key: 'state',
      label: columns.state,
      cell: ({ usable_at: at }) =>
        Date.parse(at) <= now ? (
          <Badge tone="good">{text.usable}</Badge>
        ) : (
          <span className={classes.state}>
            <Badge tone="warn">{text.waiting}</Badge>
            <span className={classes.note}>{text.usableAt({ at: timeOf(at) })}</span>
          </span>
        ),
    },
    { key: 'by', label: columns.by, cell: (row) => <Subject subject={row.added_by} /> },
    { key: 'added', label: columns.added, cell: (row) => <RelativeTime at={row.created_at} /> },
    { key: 'reason', label: columns.reason, cell: ({ reason }) => <span className={classes.note}>{reason}</span> },
    {
      key: 'remove',
      label: columns.action,
      acts: true,
      cell: (row) => (
        <Button
          variant="default"
          size="xs"
          aria-label={text.removeOf({ address: row.address })}
          onClick={() => onRemove(row)}
        >
          {text.remove}
        </Button>
      ),
    },
  ];
}
