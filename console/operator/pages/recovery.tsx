import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ApiData, ApiError } from '../../api/public.ts';
import {
  type Column,
  DataTable,
  Facts,
  Banner,
  Section,
  type Tone,
  address,
  column,
  money,
  note,
  state,
  transaction,
} from '../../components/public.ts';
import { capitalize, count, usdc } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { type Action, useAction } from '../../signed-in/public.ts';
import { type Act, ActButtons, type Ask, withReason } from '../area/acts.tsx';
import { operatorStore, useRefresh } from '../area/operator-store.ts';
import { Subject, parties } from '../area/links.tsx';
import classes from './pages.module.css';

type Report = ApiData<'POST /operator/recovery'>;
type Transfer = Report['transfers'][number];

const text = operator.recovery;
const { columns } = text;
const BLOCK = /^\d{0,15}$/;
const TONES: Record<Transfer['outcome'], Tone> = { booked: 'good', returned: 'warn', unknown: 'bad' };
/** Recovery of a database that is older than the chain: a check first, then the run, and what nothing explains. */
export function Recovery() {
  const [block, setBlock] = useState('');
  const [report, setReport] = useState<Report | null>(null);
  const { ask, dialog } = useAction(useRefresh());

  function recover(dryRun: boolean): Action {
    return {
      title: dryRun ? text.check : text.runTitle,
      text: dryRun ? text.lead : text.runText,
      confirm: dryRun ? text.check : text.run,
      run: async () => {
        if (!BLOCK.test(block.trim()))
          throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: text.untilWrong });
        const until = block.trim() === '' ? {} : { until_block: Number(block) };
        const found = await operatorStore.api.call('POST /operator/recovery', { body: { dry_run: dryRun, ...until } });
        setReport(found);
        return found.message;
      },
    };
  }

  return (
    <Section id="recovery" title={text.title} lead={text.lead}>
      <div className={`row ${classes.recovery}`}>
        <TextInput
          label={text.until}
          description={text.untilHint}
          inputMode="numeric"
          maxLength={15}
          value={block}
          onChange={(event) => setBlock(event.currentTarget.value)}
        />
        <Button variant="default" onClick={() => ask(recover(true))}>
          {text.check}
        </Button>
        <Button variant="default" onClick={() => ask(recover(false))}>
          {text.run}
        </Button>
      </div>
      {report === null ? null : <Found report={report} ask={ask} />}
      {dialog}
    </Section>
  );
}

/** A transfer out that nothing explains can be adopted. */
function adoptActs({ direction, outcome, tx_hash, log_index, wallet, amount_micro: micro }: Transfer): Act[] {
  if (direction !== 'out' || outcome !== 'unknown') return [];
  return [
    {
      of: text.adoptOf({ amount: usdc(micro) }),
      title: text.adoptTitle({ amount: usdc(micro) }),
      text: <p>{text.adoptText({ wallet })}</p>,
      confirm: text.adopt,
      destructive: true,
      reason: signedIn.reason,
      run: withReason('POST /operator/recovery/adopt', undefined, () => ({ tx_hash, log_index })),
    },
  ];
}

/** The transfers that a recovery booked, or would book. */
function Found({ report, ask }: { report: Report; ask: Ask }) {
  const { transfers, problems, dry_run: isDry, from_block: from, until_block: to } = report;
  return (
    <>
      <p role="status">{isDry ? text.checked : text.ran}</p>
      <Facts
        facts={[
          { label: isDry ? text.wouldBook : text.booked, value: count(report.booked) },
          { label: isDry ? text.wouldReturn : text.returned, value: count(report.returned) },
          { label: text.unknown, value: count(report.unknown) },
          { label: text.blocks, value: text.range({ from, to }) },
        ]}
      />
      {problems === null || problems.length === 0 ? null : (
        <Banner tone="bad" title={text.problems({ amount: problems.length })}>
          <p>{problems.map((problem) => capitalize(problem)).join(' ')}</p>
        </Banner>
      )}
      {transfers.length === 0 ? (
        <p>{text.complete}</p>
      ) : (
        <DataTable
          caption={text.transfers}
          rows={transfers}
          rowKey={({ tx_hash: hash, log_index: index }) => `${hash} ${index}`}
          columns={columnsOf(isDry, ask)}
        />
      )}
    </>
  );
}

function columnsOf(isDry: boolean, ask: Ask): Column<Transfer>[] {
  return [
    column(columns.direction, ({ direction }: Transfer) => text.directions[direction]),
    state(columns.outcome, {
      names: isDry ? text.planned : text.outcomes,
      tones: TONES,
      of: ({ outcome }: Transfer) => outcome,
    }),
    money(columns.amount, (row: Transfer) => row.amount_micro),
    address(columns.wallet, text.wallet, ({ wallet }: Transfer) => wallet),
    note(columns.why, ({ subject, note: why }: Transfer) => (
      <>
        {subject === null ? null : <Subject subject={subject} />} {why === null ? null : capitalize(why)}
      </>
    )),
    parties(),
    transaction(columns.transaction, ({ tx_hash: hash }) => hash),
    { label: columns.action, acts: true, cell: (row) => <ActButtons acts={adoptActs(row)} ask={ask} /> },
  ];
}
