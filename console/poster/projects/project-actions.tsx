import { Button } from '@mantine/core';
import { serverAheadMs, useNetwork } from '../../api/public.ts';
import { Panel, TimeLeft } from '../../components/public.ts';
import { timeOf, usdc } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { useCloseNotice } from '../../public-project/public.ts';
import { type Action, useAction } from '../../signed-in/public.ts';
import type { OwnProject, ProjectActionsProps } from '../account/own-projects.ts';
import { posterApi } from '../account/poster-session.ts';
import { ChangeTexts } from './change-texts.tsx';
import { AddPlaces, Extend } from './open-changes.tsx';

const text = poster.actions;

/** The deadline or the announced end has passed, but paid uploads may still be confirmed for a moment. */
export function isClosing({ status, auto_select_deadline: deadline, closes_at: early }: OwnProject): boolean {
  return status === 'open' && Date.parse(early ?? deadline) <= Date.now() + serverAheadMs();
}

/** The poster has already chosen, one entry or none. */
const isPlanned = (project: OwnProject) => project.planned_no_winner || project.planned_winner_id !== null;

/** Actions on an open project. Explains each action that is not possible. */
export function ProjectActions({ project, onChanged }: ProjectActionsProps) {
  const { ask, dialog } = useAction();
  const acts = useActs({ project, onChanged });
  const { status, selection } = project;
  if (selection !== null || (status !== 'open' && status !== 'judging')) return null;
  const button = (act: Action, disabled = false) => (
    <Button variant="default" disabled={disabled} onClick={() => ask(act)}>
      {act.confirm}
    </Button>
  );
  const ending = endingOf(project, acts);
  const hasEntries = project.total_submissions > 0;
  return (
    <Panel id="actions" title={ending?.title ?? text.title}>
      {ending ? (
        <>
          {ending.until === null ? null : (
            <p role="status">
              {isPlanned(project) ? text.plannedLeft : text.noticeLeft} <TimeLeft until={ending.until} />
            </p>
          )}
          <p className="soft small">{ending.text}</p>
          {ending.act ? button(ending.act) : null}
        </>
      ) : (
        <>
          {hasEntries ? null : <ChangeTexts project={project} onChanged={onChanged} />}
          <Extend key={project.auto_select_deadline} project={project} onChanged={onChanged} />
          <AddPlaces project={project} onChanged={onChanged} />
          {button(acts.close)}
          {button(acts.cancel, hasEntries)}
          {hasEntries ? <p className="soft small">{text.cancelNot}</p> : null}
          {hasEntries ? button(acts.noWinner) : null}
        </>
      )}
      {dialog}
    </Panel>
  );
}

type Ending = { title: string; until: string | null; text: string; act: Action | null };

/** Returns the words and acts of a project whose end is chosen, announced, or reached; null before that. */
function endingOf(project: OwnProject, { withdraw, noWinner }: Record<'withdraw' | 'noWinner', Action>): Ending | null {
  const { planned_no_winner: isNobody, closes_at: until } = project;
  const end = until ?? project.auto_select_deadline;
  const at = timeOf(end);
  if (isNobody) return { title: text.plannedNobody, until: end, text: text.plannedNobodyText({ at }), act: withdraw };
  if (project.planned_winner_id !== null)
    return { title: text.planned, until: end, text: text.plannedText({ at }), act: withdraw };
  // The poster's time for judging is over once a result is on hold.
  if (project.status === 'judging')
    return { title: text.title, until: null, text: text.over, act: project.result_on_hold ? null : noWinner };
  if (isClosing(project)) return { title: text.title, until: null, text: text.over, act: null };
  // An announced end of entries cannot be undone.
  return until === null ? null : { title: text.notice, until, text: text.noticeText({ at }), act: noWinner };
}

/** The acts that ask first. Each says what it costs. */
function useActs({ project, onChanged }: ProjectActionsProps) {
  const notice = useCloseNotice(project) ?? 'none';
  const fee = useNetwork()?.cancel_fee_micro ?? 0;
  const params = { project_id: project.id };
  const { call } = posterApi;
  const take = async (answer: Promise<{ project: OwnProject }>) => onChanged((await answer).project);
  return {
    close: {
      title: text.closeTitle,
      text: <Sentences of={[text.closeText({ notice }), text.closeRefund]} />,
      confirm: text.close,
      run: () => take(call('POST /posters/me/projects/{project_id}/close', { params })),
    },
    cancel: {
      title: text.cancelTitle,
      text: (
        <Sentences
          of={[
            text.cancelText({ amount: usdc(project.prize_amount_micro) }),
            ...(fee === 0 ? [] : [text.cancelFee({ fee: usdc(fee) })]),
          ]}
        />
      ),
      confirm: text.cancel,
      destructive: true,
      reason: text.cancelReason,
      run: (reason: string) =>
        take(call('POST /posters/me/projects/{project_id}/cancel', { params, body: { reason } })),
    },
    noWinner: {
      title: text.noWinnerTitle,
      text: (
        <Sentences
          of={[
            text.noWinnerText({ amount: usdc(project.winner_receives_micro) }),
            ...(project.status === 'open' ? [text.noWinnerOpen] : []),
            text.noWinnerDrafts,
            text.noWinnerFinal,
          ]}
        />
      ),
      confirm: text.noWinner,
      destructive: true,
      reason: text.noWinnerReason,
      run: (reason: string) =>
        take(call('POST /posters/me/projects/{project_id}/no-winner', { params, body: { reason } })),
    },
    withdraw: {
      title: text.withdrawTitle,
      text: text.withdrawText,
      confirm: text.withdraw,
      run: () => {
        const input = { params, body: { submission_id: null } };
        return take(call('POST /posters/me/projects/{project_id}/close-and-choose', input));
      },
    },
  };
}

function Sentences({ of }: { of: string[] }) {
  return of.map((sentence) => <p key={sentence}>{sentence}</p>);
}
