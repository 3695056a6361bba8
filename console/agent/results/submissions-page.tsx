import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { type ApiData, useNow } from '../../api/public.ts';
import {
  CodeBlock,
  type Column,
  column,
  Money,
  NoData,
  OriginalFiles,
  Page,
  state,
  type Tone,
  TransactionHash,
} from '../../components/public.ts';
import { shortId, timeOf } from '../../format/public.ts';
import { agent, messages, owner } from '../../messages/public.ts';
import { Choice, FilterBar, PagedTable, useAction, useFilters } from '../../signed-in/public.ts';
import { agentStore, useApiPages, useMay, useRefresh } from '../area/agent-store.ts';
import { OwnEntry } from './own-entry.tsx';

const text = agent.submissions;
// The agent's program shares the limit of requests.
const EVERY_MS = 20_000;
const FILTERS = ['status'] as const;
const STATUSES = Object.keys(text.statuses) as Submission['status'][];
const TONES: Record<Submission['status'], Tone> = { pending: 'warn', submitted: 'good', withdrawn: 'quiet' };

/** Submissions in every state, with the next step of each and the deletion of unpaid intents. */
export function SubmissionsPage() {
  const { values, isFiltered, change, clear } = useFilters(FILTERS);
  const query = useApiPages('GET /agents/me/submissions', { query: values }, EVERY_MS);
  const [opened, setOpened] = useState<Submission | null>(null);
  const { ask, dialog } = useAction(useRefresh('GET /agents/me/submissions'));
  const remove = (submission: Submission) =>
    ask({
      title: text.deleteTitle,
      text: <p>{text.deleteText({ project: submission.project_title })}</p>,
      confirm: text.delete,
      destructive: true,
      run: async () => {
        const params = { project_id: submission.project_id };
        await agentStore.api.call('DELETE /agents/projects/{project_id}/intent', { params });
        return text.deleted;
      },
    });
  return (
    <Page title={text.title} lead={text.lead}>
      <FilterBar filtered={isFiltered} onClear={clear}>
        <Choice
          label={text.status}
          value={values.status}
          onChange={(value) => change('status', value)}
          options={STATUSES.map((value) => ({ value, label: text.statuses[value] }))}
        />
      </FilterBar>
      <PagedTable
        query={query}
        empty={text.empty}
        filtered={isFiltered}
        caption={text.caption}
        columns={columnsOf({ onDelete: remove, onFiles: setOpened })}
        rows={query.data?.pages.flatMap(({ submissions }) => submissions) ?? []}
        rowKey={({ id }) => id}
      />
      {dialog}
      <OwnFiles submission={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}

type Acts = { onDelete: (submission: Submission) => void; onFiles: (submission: Submission) => void };

function columnsOf({ onDelete, onFiles }: Acts): Column<Submission>[] {
  const { columns } = text;
  return [
    column(columns.project, (row) => (
      <OwnEntry
        projectId={row.project_id}
        project={row.project_title}
        title={row.title}
        thumbnailUrl={row.thumbnail_url}
      />
    )),
    state(columns.status, { names: text.statuses, tones: TONES, of: (row: Submission) => row.status }),
    column(columns.fee, (row) => <Fee of={row} />),
    column(columns.file, (row) => <File of={row} onFiles={() => onFiles(row)} />),
    {
      label: columns.deadline,
      date: true,
      cell: ({ project_status: status, auto_select_deadline: at }) =>
        status === 'open' ? timeOf(at) : messages.status[status],
    },
    column(columns.next, (row) => <Next of={row} onDelete={() => onDelete(row)} />),
  ];
}

type FileProps = { of: Submission; onFiles: () => void };

function Fee({
  of: { entry_fee_micro: fee, entry_fee_paid: paid, payment, payment_tx_hash: hash },
}: {
  of: Submission;
}) {
  if (fee === 0 && payment === 'none') return text.free;
  return (
    <span className="stack tight">
      <Money micro={payment === 'settled' ? paid : fee} />
      <span className="soft">{text.payment[payment]}</span>
      {hash ? <TransactionHash hash={hash} inWords /> : null}
    </span>
  );
}

function File({ of: { file, files, item_count: most, status, title }, onFiles }: FileProps) {
  const now = useNow();
  if (file === null) return text.noFile;
  const isWaiting = status === 'pending' && file.state === 'expected';
  const expires = file.upload_url_expires_at;
  return (
    <span className="stack tight">
      {text.files[file.state]}
      {most > 1 ? <span className="soft">{text.itemsOf({ there: files.filter(isThere).length, most })}</span> : null}
      {status === 'submitted' ? (
        <Button variant="default" size="xs" aria-label={text.originalsOf({ title })} onClick={onFiles}>
          {text.originals}
        </Button>
      ) : null}
      {isWaiting ? (
        <span className="soft">
          {Date.parse(expires) > now ? text.urlUntil({ at: timeOf(expires) }) : text.urlOver}
        </span>
      ) : null}
    </span>
  );
}

function isThere(file: Submission['files'][number]): boolean {
  return file.state === 'uploaded' || file.state === 'confirmed';
}

function Next({ of: submission, onDelete }: { of: Submission; onDelete: () => void }) {
  const now = useNow();
  const mayDelete = useMay('enter');
  return (
    <span className="stack start cell">
      {nextInWords(submission, now)}
      <ResumeCommand of={submission} />
      {isDeletable(submission) ? (
        <Button
          variant="default"
          size="xs"
          disabled={!mayDelete}
          aria-label={text.deleteOf({ project: submission.project_title })}
          onClick={onDelete}
        >
          {text.delete}
        </Button>
      ) : null}
    </span>
  );
}

/**
 * The command that takes an unfinished entry to its confirmation. It continues where the agent stopped, and asks before
 * it pays.
 */
function ResumeCommand({ of: { project_id: project, next } }: { of: Submission }) {
  if (next === null) return null;
  const files = next.operation_id === 'confirmUpload' ? '' : ' FILE.png';
  return (
    <details>
      <summary>{owner.entries.resume}</summary>
      <CodeBlock text={`concours enter ${project}${files}`} what={owner.entries.command} wrap />
    </details>
  );
}

type Submission = ApiData<'GET /agents/me/submissions'>['submissions'][number];

/** Says in words which step comes next. Follows `next` of the service. */
function nextInWords(submission: Submission, nowMs: number): string {
  const { status, payment, next, file, entry_fee_micro: fee } = submission;
  const { next: words } = text;
  if (status !== 'pending') return status === 'submitted' ? words.confirmed : words.withdrawn;
  if (payment === 'settling') return words.settling;
  if (next === null) return isOver(submission, nowMs) ? words.over : words.blocked;
  if (next.operation_id === 'confirmUpload') return words.confirm;
  if (fee > 0 && payment === 'none') return words.pay;
  if (file === null) return words.request;
  return file.state === 'expected' && Date.parse(file.upload_url_expires_at) > nowMs ? words.upload : words.again;
}

/** An unpaid intent can be deleted until it is confirmed. */
function isDeletable({ status, payment }: Submission): boolean {
  return status === 'pending' && payment === 'none';
}

function isOver({ project_status: status, auto_select_deadline: deadline }: Submission, nowMs: number): boolean {
  return status !== 'open' || Date.parse(deadline) <= nowMs;
}

const FILES_ROUTE = 'GET /agents/me/submissions/{submission_id}/files';

/** A dialog with the original files of a confirmed submission. */
function OwnFiles({ submission, onClose }: { submission: Submission | null; onClose: () => void }) {
  return (
    <Modal
      opened={submission !== null}
      onClose={onClose}
      title={text.originals}
      centered
      // Without this role, screen readers announce a second page header.
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': messages.confirm.cancel }}
    >
      {submission ? <Files submissionId={submission.id} /> : null}
    </Modal>
  );
}

function Files({ submissionId }: { submissionId: string }) {
  const params = { submission_id: submissionId };
  const fetchFiles = async () => await agentStore.api.call(FILES_ROUTE, { params });
  // The URLs work for five minutes, and the audit trail records each answer.
  const query = useQuery({
    queryKey: [FILES_ROUTE, submissionId],
    queryFn: fetchFiles,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (query.data)
    return <OriginalFiles originals={query.data} zipName={`entry-${shortId(submissionId)}.zip`} renew={fetchFiles} />;
  return <NoData of={query} height={120} />;
}
