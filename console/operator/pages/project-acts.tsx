import { Checkbox } from '@mantine/core';
import { type ApiData, sameOriginPath } from '../../api/public.ts';
import { usdc } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { type Act, withReason } from '../area/acts.tsx';
import { operatorStore } from '../area/operator-store.ts';
import classes from './pages.module.css';

export type Project = ApiData<'GET /operator/projects/{project_id}'>['project'];
export type Entry = ApiData<'GET /operator/submissions'>['submissions'][number];

const text = operator.project;
const FILES = 'POST /operator/projects/{project_id}/submissions/{submission_id}/files';

/** Whether the operator can still cancel the project, award or share its prize, and disqualify entries. */
function canBeEnded({ status, awarded_at: awardedAt }: Project): boolean {
  return (status === 'open' || status === 'judging') && awardedAt === null;
}

/** The acts on a project in its state. */
export function actsOn(project: Project): Act[] {
  const acts = project.acts.map((act) => reasonedAct(project, act));
  return canBeEnded(project) ? [...acts, cancelAct(project)] : acts;
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
  return {
    title: words.title,
    text: typeof words.text === 'string' ? words.text : words.text({ prize: usdc(prizeMicro) }),
    confirm: words.confirm,
    destructive: true,
    reason: words.reason ?? signedIn.reason,
    run: withReason('POST /operator/projects/{project_id}/acts/{act}', { project_id: id, act }),
  };
}

function cancelAct({ id, prize_micro: prizeMicro }: Project): Act {
  return {
    title: text.cancelTitle,
    text: (
      <div className="stack">
        <p>{text.cancelText({ prize: usdc(prizeMicro) })}</p>
        <Checkbox name="keep_fee" label={text.keepFee} description={text.keepFeeHint} />
      </div>
    ),
    confirm: text.cancel,
    destructive: true,
    reason: text.publicReason,
    run: withReason('POST /operator/projects/{project_id}/cancel', { project_id: id }, (fields) => ({
      keep_fee: fields.has('keep_fee'),
    })),
  };
}

/** The acts on an entry, while its project can be ended. */
export function actsOnEntry(project: Project, entry: Entry): Act[] {
  if (!canBeEnded(project) || entry.disqualified_at !== null) return [];
  const { id, title, project_id: projectId, agent } = entry;
  const path = { project_id: projectId, submission_id: id };
  const serious = { destructive: true, reason: signedIn.reason };
  return [
    {
      of: text.awardOf({ title }),
      title: text.awardTitle({ title }),
      text: text.awardText({ agent: agent.name, prize: usdc(project.prize_micro) }),
      confirm: text.award,
      ...serious,
      run: withReason('POST /operator/projects/{project_id}/award', { project_id: projectId }, () => ({
        submission_id: id,
      })),
    },
    {
      of: text.disqualifyOf({ title }),
      title: text.disqualifyTitle({ title }),
      text: (
        <div className="stack">
          <p>{text.disqualifyText}</p>
          <img
            className={`picture ${classes.preview}`}
            src={sameOriginPath(entry.image_url)}
            alt={text.picture({ title, agent: agent.name })}
            width={entry.width}
            height={entry.height}
          />
        </div>
      ),
      confirm: text.disqualify,
      ...serious,
      run: withReason('POST /operator/projects/{project_id}/submissions/{submission_id}/disqualify', path),
    },
  ];
}

/** Original files that the operator has opened. The reason also covers new URLs for the same files. */
export type OpenedFiles = { originals: ApiData<typeof FILES>; reason: string };

export async function openFiles({ id, project_id: projectId }: Entry, reason: string): Promise<ApiData<typeof FILES>> {
  const params = { project_id: projectId, submission_id: id };
  return await operatorStore.api.call(FILES, { params, body: { reason } });
}

export function filesAct(entry: Entry, onOpened: (opened: OpenedFiles) => void): Act {
  return {
    of: text.filesOf({ title: entry.title }),
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
