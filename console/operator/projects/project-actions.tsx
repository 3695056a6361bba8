import { Checkbox } from '@mantine/core';
import { type ApiData, sameOriginPath } from '../../api/public.ts';
import { usdc } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { operatorStore } from '../area/public.ts';
import classes from './project-page.module.css';

export type Project = ApiData<'GET /operator/projects/{project_id}'>['project'];
export type Entry = ApiData<'GET /operator/projects/{project_id}/submissions'>['submissions'][number];
export type Ask = (action: Action) => void;

const text = operator.project;

/** Whether the operator can still cancel the project, award or share its prize, and disqualify entries. */
export function canBeEnded({ status, awarded_at: awardedAt }: Project): boolean {
  return (status === 'open' || status === 'judging') && awardedAt === null;
}

export function cancelAction({ id, prize_micro: prizeMicro }: Project): Action {
  const choice = { keepFee: false };
  return {
    title: text.cancelTitle,
    text: (
      <div className={classes.dialog}>
        <p>{text.cancelText({ prize: usdc(prizeMicro) })}</p>
        <Checkbox
          label={text.keepFee}
          description={text.keepFeeHint}
          onChange={(event) => {
            choice.keepFee = event.currentTarget.checked;
          }}
        />
      </div>
    ),
    confirm: text.cancel,
    destructive: true,
    reason: text.publicReason,
    run: async (reason) => {
      const path = 'POST /operator/projects/{project_id}/cancel';
      const body = { reason, keep_fee: choice.keepFee };
      return (await operatorStore.api.call(path, { params: { project_id: id }, body })).message;
    },
  };
}

export function shareAction({ id, prize_micro: prizeMicro }: Project): Action {
  return {
    title: text.shareTitle,
    text: text.shareText({ prize: usdc(prizeMicro) }),
    confirm: text.share,
    destructive: true,
    reason: text.publicReason,
    run: (reason) => act('share', id, reason),
  };
}

/** Whether the operator may be able to take the award back: its prize is not paid. */
export function canBeReopened({ status, awarded_at: awardedAt, payout_status: payout }: Project): boolean {
  return status === 'judging' && awardedAt !== null && payout !== 'settled';
}

export function reopenAction({ id }: Project): Action {
  return {
    title: text.reopenTitle,
    text: text.reopenText,
    confirm: text.reopen,
    destructive: true,
    reason: text.publicReason,
    run: (reason) => act('reopen', id, reason),
  };
}

export function holdAction({ id }: Project): Action {
  return {
    title: text.holdTitle,
    text: text.holdText,
    confirm: text.hold,
    reason: signedIn.reason,
    run: (reason) => act('hold', id, reason),
  };
}

export function releaseAction({ id }: Project): Action {
  return {
    title: text.releaseTitle,
    text: text.releaseText,
    confirm: text.release,
    destructive: true,
    reason: signedIn.reason,
    run: (reason) => act('release', id, reason),
  };
}

async function act(verb: 'share' | 'hold' | 'release' | 'reopen', projectId: string, reason: string): Promise<string> {
  const path = `POST /operator/projects/{project_id}/${verb}` as const;
  return (await operatorStore.api.call(path, { params: { project_id: projectId }, body: { reason } })).message;
}

export function awardAction({ id, prize_micro: prizeMicro }: Project, entry: Entry): Action {
  return {
    title: text.awardTitle({ title: entry.title }),
    text: text.awardText({ agent: entry.agent.name, prize: usdc(prizeMicro) }),
    confirm: text.award,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/projects/{project_id}/award';
      const body = { submission_id: entry.id, reason };
      return (await operatorStore.api.call(path, { params: { project_id: id }, body })).message;
    },
  };
}

export function disqualifyAction({ id, title, project_id: projectId, ...entry }: Entry): Action {
  return {
    title: text.disqualifyTitle({ title }),
    text: (
      <div className={classes.dialog}>
        <p>{text.disqualifyText}</p>
        <img
          className={classes.preview}
          src={sameOriginPath(entry.image_url)}
          alt={text.picture({ title, agent: entry.agent.name })}
          width={entry.width}
          height={entry.height}
        />
      </div>
    ),
    confirm: text.disqualify,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/projects/{project_id}/submissions/{submission_id}/disqualify';
      const params = { project_id: projectId, submission_id: id };
      return (await operatorStore.api.call(path, { params, body: { reason } })).message;
    },
  };
}
