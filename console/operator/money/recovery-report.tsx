import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import { type Column, DataTable, type Stat, Stats } from '../../components/data/public.ts';
import { Banner } from '../../components/feedback/public.ts';
import { Section } from '../../components/layout/public.ts';
import { Badge, CopyText, Money, type Tone, TransactionHash } from '../../components/values/public.ts';
import { capitalize, count, usdc } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { PartyLinks, Subject } from '../area/public.ts';
import classes from './money.module.css';

export type Report = ApiData<'POST /operator/recovery'>;
export type Transfer = Report['transfers'][number];

const text = operator.recovery;
const TONES: Record<Transfer['outcome'], Tone> = { booked: 'good', returned: 'warn', unknown: 'bad' };

type ReportProps = {
  report: Report;
  /** Transfers that the operator adopted since the report. */
  adopted: readonly Transfer[];
  onAdopt: (transfer: Transfer) => void;
};

/** The transfers that a recovery booked, or would book. */
export function RecoveryReport({ report, adopted, onAdopt }: ReportProps) {
  const { transfers, problems } = report;
  return (
    <Section title={text.reported} lead={report.dry_run ? text.checked : text.ran}>
      <Stats label={text.figures} stats={figuresOf(report)} most={5} />
      {problems === null || problems.length === 0 ? null : (
        <Banner tone="bad" title={text.problems({ amount: problems.length })}>
          <ul className={classes.problems}>
            {problems.map((problem) => (
              <li key={problem}>{capitalize(problem)}</li>
            ))}
          </ul>
        </Banner>
      )}
      {transfers.length === 0 ? (
        <p>{text.complete}</p>
      ) : (
        <DataTable
          caption={text.transfers}
          rows={transfers}
          rowKey={({ tx_hash: hash, log_index: index }) => `${hash} ${index}`}
          columns={columnsOf(report.dry_run ? text.planned : text.outcomes, adopted, onAdopt)}
        />
      )}
    </Section>
  );
}

function figuresOf({ dry_run: isDry, booked, returned, unknown, ...report }: Report): Stat[] {
  const { from_block: from, until_block: to, recovered_until: until } = report;
  return [
    { label: isDry ? text.wouldBook : text.booked, value: count(booked) },
    { label: isDry ? text.wouldReturn : text.returned, value: count(returned) },
    { label: text.unknown, value: count(unknown), ...(unknown > 0 ? { tone: 'warn' as const } : {}) },
    { label: text.blocks, value: text.range({ from, to }), words: true },
    // A check recovers nothing, so it does not know this block.
    ...(isDry
      ? []
      : [{ label: text.recoveredUntil, value: until === null ? text.notYet : count(until), words: until === null }]),
  ];
}

function columnsOf(
  outcomes: Record<Transfer['outcome'], string>,
  adopted: ReportProps['adopted'],
  onAdopt: ReportProps['onAdopt'],
): Column<Transfer>[] {
  const { columns } = text;
  return [
    { key: 'direction', label: columns.direction, cell: ({ direction }) => text.directions[direction] },
    {
      key: 'outcome',
      label: columns.outcome,
      cell: (transfer) =>
        adopted.includes(transfer) ? (
          <Badge tone="quiet">{text.adopted}</Badge>
        ) : (
          <Badge tone={TONES[transfer.outcome]}>{outcomes[transfer.outcome]}</Badge>
        ),
    },
    { key: 'amount', label: columns.amount, numeric: true, cell: (row) => <Money micro={row.amount_micro} /> },
    { key: 'wallet', label: columns.wallet, cell: ({ wallet }) => <CopyText value={wallet} what={text.wallet} /> },
    { key: 'why', label: columns.why, cell: (transfer) => <Explanation of={transfer} /> },
    { key: 'parties', label: operatorDesk.parties.project, cell: ({ parties }) => <PartyLinks of={parties} /> },
    { key: 'block', label: columns.block, numeric: true, cell: ({ block }) => count(block) },
    { key: 'transaction', label: columns.transaction, cell: ({ tx_hash: hash }) => <TransactionHash hash={hash} /> },
    {
      key: 'adopt',
      label: columns.action,
      acts: true,
      cell: (transfer) =>
        canBeAdopted(transfer) && !adopted.includes(transfer) ? (
          <Button
            variant="default"
            size="xs"
            aria-label={text.adoptOf({ amount: usdc(transfer.amount_micro) })}
            onClick={() => onAdopt(transfer)}
          >
            {text.adopt}
          </Button>
        ) : null,
    },
  ];
}

function canBeAdopted({ direction, outcome }: Transfer): boolean {
  return direction === 'out' && outcome === 'unknown';
}

/** The booking of a transfer, with its reason. */
function Explanation({ of: { subject, note } }: { of: Transfer }) {
  return (
    <>
      {subject === null ? null : <Subject subject={subject} />}
      {note === null ? null : <span className={classes.note}>{capitalize(note)}</span>}
    </>
  );
}
