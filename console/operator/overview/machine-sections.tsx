import { type Column, DataTable, Facts } from '../../components/data/public.ts';
import { Section } from '../../components/layout/public.ts';
import { Badge, CopyText, RelativeTime } from '../../components/values/public.ts';
import { useNow } from '../../api/public.ts';
import { count, numberText, spanInWords, timeOf } from '../../format/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import type { Overview } from '../area/public.ts';

type Machine = Overview['machine'];
type Job = Machine['jobs'][number];
type Lane = Machine['lanes'][number];

const text = operatorDesk.machine;
const { columns } = text;
const WEI = 1e18;

export function Dependencies({ of: { checked_at: at, dependencies } }: { of: Machine }) {
  return (
    <Section title={text.dependencies} lead={text.dependenciesLead({ at: timeOf(at) })}>
      <DataTable
        caption={text.dependencies}
        rows={dependencies}
        rowKey={({ dependency }) => dependency}
        columns={[
          { key: 'part', label: columns.part, cell: ({ dependency }) => text.parts[dependency] },
          {
            key: 'state',
            label: columns.state,
            cell: ({ up }) => <Badge tone={up ? 'good' : 'bad'}>{up ? text.up : text.down}</Badge>,
          },
          {
            key: 'time',
            label: columns.time,
            numeric: true,
            cell: ({ seconds }) => text.seconds({ seconds: numberText(Math.round(seconds * 1_000) / 1_000) }),
          },
        ]}
      />
    </Section>
  );
}

export function Queues({ of: { queues } }: { of: Machine }) {
  const now = useNow();
  return (
    <Section title={text.queues}>
      <Facts
        facts={queues.map(({ queue, waiting, oldest_at: oldest }) => ({
          label: text.waiting[queue],
          value:
            oldest === null
              ? count(waiting)
              : text.oldest({ count: count(waiting), span: spanInWords(Math.max(0, now - Date.parse(oldest))) }),
        }))}
      />
    </Section>
  );
}

export function Lanes({ of: { lanes } }: { of: Machine }) {
  return (
    <Section title={text.lanes} lead={text.lanesLead}>
      {lanes.length === 0 ? (
        <p className="soft">{text.noLanes}</p>
      ) : (
        <DataTable
          caption={text.lanes}
          rows={lanes}
          rowKey={({ address }) => address}
          columns={[
            { key: 'key', label: columns.key, cell: ({ address }) => <CopyText value={address} what={text.key} /> },
            { key: 'state', label: columns.state, cell: (lane) => <LaneState of={lane} /> },
            {
              key: 'gas',
              label: columns.gas,
              numeric: true,
              cell: ({ gas_wei: wei }) => (wei === null ? '–' : text.gas({ amount: numberText(Number(wei) / WEI) })),
            },
          ]}
        />
      )}
    </Section>
  );
}

function LaneState({ of: { usable, held_until: until } }: { of: Lane }) {
  if (usable === false) return <Badge tone="bad">{text.noGas}</Badge>;
  return until === null ? <Badge tone="quiet">{text.free}</Badge> : <Badge tone="good">{text.busy}</Badge>;
}

export function Jobs({ of: { jobs } }: { of: Machine }) {
  return (
    <Section title={text.jobs} lead={text.jobsLead}>
      <DataTable caption={text.jobs} rows={jobs} rowKey={({ job }) => job} columns={JOB_COLUMNS} />
    </Section>
  );
}

const JOB_COLUMNS: Column<Job>[] = [
  { key: 'job', label: columns.job, cell: ({ job }) => job },
  {
    key: 'every',
    label: columns.every,
    cell: ({ every_seconds: seconds }) => text.every({ span: spanInWords(seconds * 1_000) }),
  },
  { key: 'last', label: columns.last, cell: (job) => <LastRun of={job} /> },
  {
    key: 'failures',
    label: columns.failures,
    cell: ({ failures }) => (failures === 0 ? text.none : text.failures({ count: count(failures) })),
  },
];

function LastRun({ of: job }: { of: Job }) {
  const now = useNow();
  if (job.running_since !== null)
    return text.running({ span: spanInWords(Math.max(0, now - Date.parse(job.running_since))) });
  if (job.ended_at === null) return text.never;
  const hasFailed = job.failed_at === job.ended_at;
  return (
    <>
      <Badge tone={hasFailed ? 'bad' : 'quiet'}>{hasFailed ? text.failed : text.done}</Badge>{' '}
      <RelativeTime at={job.ended_at} />
    </>
  );
}
