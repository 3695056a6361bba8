import { Checkbox } from '@mantine/core';
import { type ApiData, sameOriginPath } from '../../api/public.ts';
import { usdc } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { operatorStore } from '../area/operator-store.ts';
import classes from './pages.module.css';

export type Project = ApiData<'GET /operator/projects/{project_id}'>['project'];
export type Entry = ApiData<'GET /operator/submissions'>['submissions'][number];
export type Ask = (action: Action) => void;

const text = operator.project;
const ACT = 'POST /operator/projects/{project_id}/{act}';
const FILES = 'POST /operator/projects/{project_id}/submissions/{submission_id}/files';

type Act = { label: string; action: Action };

/** Whether the operator can still cancel the project, award or share its prize, and disqualify entries. */
function canBeEnded({ status, awarded_at: awardedAt }: Project): boolean {
  return (status === 'open' || status === 'judging') && awardedAt === null;
}

/** The acts on a project in its state. */
export function actsOn(project: Project): Act[] {
  const acts = project.acts.map((act) => reasonedAct(project, act));
  if (!canBeEnded(project)) return acts;
  return [...acts, { label: text.cancel, action: cancelAction(project.id, usdc(project.prize_micro)) }];
}

type ActWords = {
  confirm: string;
  title: string;
  text: string | ((values: { prize: string }) => string);
  /** Names the field of a reason that everyone can read. */
  reason?: string;
};

function reasonedAct({ id, prize_micro: prizeMicro }: Project, act: Project['acts'][number]): Act {
  const words: ActWords = text.acts[act];
  const action: Action = {
    title: words.title,
    text: typeof words.text === 'string' ? words.text : words.text({ prize: usdc(prizeMicro) }),
    confirm: words.confirm,
    destructive: true,
    reason: words.reason ?? signedIn.reason,
    run: async (reason) =>
      (await operatorStore.api.call(ACT, { params: { project_id: id, act }, body: { reason } })).message,
  };
  return { label: words.confirm, action };
}

function cancelAction(id: string, prize: string): Action {
  const choice = { keepFee: false };
  return {
    title: text.cancelTitle,
    text: (
      <div className="stack">
        <p>{text.cancelText({ prize })}</p>
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

/** The acts on an entry, while its project can be ended. Each names its button for screen readers. */
export function actsOnEntry(project: Project, entry: Entry): (Act & { of: string })[] {
  if (!canBeEnded(project) || entry.disqualified_at !== null) return [];
  const { title } = entry;
  return [
    { label: text.award, of: text.awardOf({ title }), action: awardAction(project, entry) },
    { label: text.disqualify, of: text.disqualifyOf({ title }), action: disqualifyAction(entry) },
  ];
}

function awardAction({ id, prize_micro: prizeMicro }: Project, entry: Entry): Action {
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

function disqualifyAction({ id, title, project_id: projectId, ...entry }: Entry): Action {
  return {
    title: text.disqualifyTitle({ title }),
    text: (
      <div className="stack">
        <p>{text.disqualifyText}</p>
        <img
          className={`picture ${classes.preview}`}
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

/** Original files that the operator has opened. The reason also covers new URLs for the same files. */
export type OpenedFiles = { originals: ApiData<typeof FILES>; reason: string };

export async function openFiles({ id, project_id: projectId }: Entry, reason: string): Promise<ApiData<typeof FILES>> {
  const params = { project_id: projectId, submission_id: id };
  return await operatorStore.api.call(FILES, { params, body: { reason } });
}

export function filesAction(entry: Entry, onOpened: (opened: OpenedFiles) => void): Action {
  return {
    title: text.filesTitle({ title: entry.title }),
    text: text.filesText,
    confirm: text.files,
    reason: text.filesReason,
    run: async (reason) => {
      const originals = await openFiles(entry, reason);
      onOpened({ originals, reason });
      return originals.message;
    },
  };
}
