import type { ApiData } from '../../api/public.ts';
import { operator } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { operatorStore } from '../area/public.ts';
import type { Entry } from './project-actions.tsx';

const route = 'POST /operator/projects/{project_id}/submissions/{submission_id}/files';
const text = operator.project;

type Answer = ApiData<typeof route>;

/** Files that the operator has opened. The reason also covers new URLs for the same files. */
export type OpenedFiles = { originals: Answer; reason: string };

export async function openFiles({ id, project_id: projectId }: Entry, reason: string): Promise<Answer> {
  const params = { project_id: projectId, submission_id: id };
  return await operatorStore.api.call(route, { params, body: { reason } });
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
