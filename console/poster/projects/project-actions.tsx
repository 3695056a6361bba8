import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError, serverAheadMs, useNetwork } from '../../api/public.ts';
import { ConfirmDialog, describeError, Panel, TimeLeft } from '../../components/public.ts';
import { capitalize, localInput, timeOf, usdc } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { useCloseNotice, useLatestDeadline } from '../../public-project/public.ts';
import { AddPlaces } from './add-places.tsx';
import { ChangeTexts } from './change-texts.tsx';
import { NoWinner } from './no-winner.tsx';
import type { OwnProject } from '../account/own-projects.ts';
import { posterApi } from '../account/poster-session.ts';
import type { ProjectActionsProps } from './project-actions-props.ts';

const text = poster.actions;

/** The deadline or the announced end has passed, but paid uploads may still be confirmed for a moment. */
export function isClosing({ status, auto_select_deadline: deadline, closes_at: early }: OwnProject): boolean {
  return status === 'open' && Date.parse(early ?? deadline) <= Date.now() + serverAheadMs();
}

/** Actions on an open project. Explains each action that is not possible. */
export function ProjectActions({ project, onChanged }: ProjectActionsProps) {
  const [dialog, setDialog] = useState<'close' | 'cancel' | null>(null);
  const notice = useCloseNotice(project) ?? 'none';
  if (project.selection !== null || (project.status !== 'open' && project.status !== 'judging')) return null;
  if (project.planned_winner_id !== null || project.planned_no_winner)
    return <Planned project={project} onChanged={onChanged} />;
  if (project.status === 'judging') return <TooLate project={project} onChanged={onChanged} />;
  if (isClosing(project)) return <TooLate />;
  if (project.closes_at !== null)
    return <Notice project={project} closesAt={project.closes_at} onChanged={onChanged} />;
  const params = { project_id: project.id };
  const hasEntries = project.total_submissions > 0;
  return (
    <Panel id="actions" title={text.title}>
      {hasEntries ? null : <ChangeTexts key={project.terms_hash} project={project} onChanged={onChanged} />}
      <Extend key={project.auto_select_deadline} project={project} onChanged={onChanged} />
      <AddPlaces project={project} onChanged={onChanged} />
      <div className="stack">
        <Button variant="default" onClick={() => setDialog('close')}>
          {text.close}
        </Button>
      </div>
      <div className="stack">
        <Button variant="default" disabled={hasEntries} onClick={() => setDialog('cancel')}>
          {text.cancel}
        </Button>
        {hasEntries ? <p className="soft small">{text.cancelNot}</p> : null}
      </div>
      {hasEntries ? <NoWinner project={project} onChanged={onChanged} /> : null}
      <ConfirmDialog
        opened={dialog === 'close'}
        title={text.closeTitle}
        confirm={text.close}
        onConfirm={async () =>
          onChanged((await posterApi.call('POST /posters/me/projects/{project_id}/close', { params })).project)
        }
        onClose={() => setDialog(null)}
      >
        <p>{text.closeText({ notice })}</p>
        <p>{text.closeRefund}</p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === 'cancel'}
        title={text.cancelTitle}
        confirm={text.cancel}
        destructive
        reason={{ label: text.cancelReason, maxLength: 500 }}
        onConfirm={async (reason) =>
          onChanged(
            (await posterApi.call('POST /posters/me/projects/{project_id}/cancel', { params, body: { reason } }))
              .project,
          )
        }
        onClose={() => setDialog(null)}
      >
        <CancelText prizeMicro={project.prize_amount_micro} />
      </ConfirmDialog>
    </Panel>
  );
}

function CancelText({ prizeMicro }: { prizeMicro: number }) {
  const fee = useNetwork()?.cancel_fee_micro ?? 0;
  return (
    <>
      <p>{text.cancelText({ amount: usdc(prizeMicro) })}</p>
      {fee === 0 ? null : <p>{text.cancelFee({ fee: usdc(fee) })}</p>}
    </>
  );
}

/** The poster's time for judging is over once a result is on hold. */
function TooLate({ project, onChanged }: Partial<ProjectActionsProps>) {
  return (
    <Panel id="actions" title={text.title}>
      <p className="soft small">{text.over}</p>
      {project && onChanged && !project.result_on_hold ? <NoWinner project={project} onChanged={onChanged} /> : null}
    </Panel>
  );
}

/** The poster chose an entry, or nobody, while closing early. The choice can be withdrawn until entries end. */
function Planned({ project, onChanged }: ProjectActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const end = project.closes_at ?? project.auto_select_deadline;
  return (
    <Panel id="actions" title={project.planned_no_winner ? text.plannedNobody : text.planned}>
      <p role="status">
        {text.noticeLeft} <TimeLeft until={end} />
      </p>
      <p className="soft small">
        {(project.planned_no_winner ? text.plannedNobodyText : text.plannedText)({ at: timeOf(end) })}
      </p>
      <Button variant="default" onClick={() => setAsking(true)}>
        {text.withdraw}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={text.withdrawTitle}
        confirm={text.withdraw}
        onConfirm={async () => {
          const input = { params: { project_id: project.id }, body: { submission_id: null } };
          onChanged((await posterApi.call('POST /posters/me/projects/{project_id}/close-and-choose', input)).project);
        }}
        onClose={() => setAsking(false)}
      >
        <p>{text.withdrawText}</p>
      </ConfirmDialog>
    </Panel>
  );
}

/** The poster has announced the end of entries, which cannot be undone. */
function Notice({ project, closesAt, onChanged }: ProjectActionsProps & { closesAt: string }) {
  return (
    <Panel id="actions" title={text.notice}>
      <p role="status">
        {text.noticeLeft} <TimeLeft until={closesAt} />
      </p>
      <p className="soft small">{text.noticeText({ at: timeOf(closesAt) })}</p>
      <NoWinner project={project} onChanged={onChanged} />
    </Panel>
  );
}

function Extend({ project, onChanged }: ProjectActionsProps) {
  const [typed, setTyped] = useState(() => localInput(new Date(project.auto_select_deadline)));
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  async function extend(event: { preventDefault(): void }) {
    event.preventDefault();
    const deadline = new Date(typed);
    if (!(deadline.getTime() > Date.parse(project.auto_select_deadline))) {
      setFailure(text.extendWrong);
      return;
    }
    setBusy(true);
    try {
      const answer = await posterApi.call('PATCH /posters/me/projects/{project_id}', {
        params: { project_id: project.id },
        body: { auto_select_deadline: deadline.toISOString() },
      });
      onChanged(answer.project);
    } catch (error) {
      setFailure(reasonOf(error));
      setBusy(false);
    }
  }
  const latest = useLatestDeadline(project);
  const isFixed = latest !== null && Date.parse(project.auto_select_deadline) >= Date.parse(latest);
  if (isFixed) return <p className="soft small">{text.extendFixed}</p>;
  return (
    <form className="stack" onSubmit={(event) => void extend(event)}>
      <TextInput
        type="datetime-local"
        label={text.extendLabel}
        description={text.extendHint({ latest: latest === null ? 'none' : timeOf(latest) })}
        value={typed}
        error={failure}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFailure(null);
        }}
      />
      {latest === null ? null : (
        <p className="soft small">{project.total_submissions > 0 ? text.extendOnce : text.extendFree}</p>
      )}
      <Button type="submit" variant="default" loading={busy}>
        {text.extendButton}
      </Button>
    </form>
  );
}

/** Says what is wrong with the deadline, in the words of the service. */
function reasonOf(error: unknown): string {
  const detail = error instanceof ApiError ? error.details.find(({ field }) => field === 'auto_select_deadline') : null;
  return detail ? capitalize(detail.message) : describeError(error).text;
}
