import { Button, TextInput } from '@mantine/core';
import { Stats, Money, wordsIn } from '../../components/public.ts';
import { decimalText } from '../../format/public.ts';
import { operator, operatorDesk, signedIn } from '../../messages/public.ts';
import { type Action, useAction } from '../../signed-in/public.ts';
import { LIST_MS, operatorStore, useApiQuery, useRefresh } from '../area/operator-store.ts';
import { ListPage, MONEY } from './list-pages.tsx';
import { revenue } from './money-lists.tsx';

const text = operator.payouts;

/** The platform's earnings and withdrawals, with its balance. */
export function RevenuePage() {
  const { data } = useApiQuery('GET /operator/overview', { query: { days: '7' } }, LIST_MS);
  const { ask, dialog } = useAction(useRefresh());
  return (
    <ListPage
      title={operatorDesk.sections.money}
      lead={operatorDesk.revenue.lead}
      tabs={MONEY}
      list={revenue}
      actions={
        <Button variant="default" onClick={() => ask(withdrawAction())}>
          {text.withdraw}
        </Button>
      }
    >
      <Stats
        label={operatorDesk.tabs.revenue}
        stats={[
          {
            label: operator.overview.revenue,
            value: data === undefined ? '–' : <Money micro={data.held.revenue_micro} short />,
          },
        ]}
      />
      {dialog}
    </ListPage>
  );
}

/** Withdraws revenue to REVENUE_ADDRESS. */
function withdrawAction(): Action {
  // The id makes a repeated request safe: the money moves once.
  const withdrawalId = crypto.randomUUID();
  return {
    title: text.withdrawTitle,
    text: (
      <>
        <p>{text.withdrawText}</p>
        <TextInput name="amount" label={text.amount} inputMode="decimal" required data-autofocus />
      </>
    ),
    confirm: text.withdraw,
    reason: signedIn.reason,
    run: async (reason, fields) => {
      const body = { amount_usdc: decimalText(wordsIn(fields, 'amount')), reason, withdrawal_id: withdrawalId };
      await operatorStore.api.call('POST /operator/withdrawals', { body });
      return text.withdrawn;
    },
  };
}
