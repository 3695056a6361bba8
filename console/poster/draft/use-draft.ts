import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, type ApiInput } from '../../api/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import {
  loadItem,
  type OwnProject,
  ownProjectRoute,
  ownQuery,
  posterApi,
  removeItem,
  storeItem,
} from '../account/public.ts';
import {
  bodyValue,
  changesBetween,
  copyOf,
  type DraftField,
  type DraftValues,
  FIELDS,
  flawsOf,
  newValues,
  valuesOf,
} from './draft-values.ts';

export type SaveState =
  | { kind: 'saved' | 'saving' | 'waiting' | 'offline' }
  | { kind: 'incomplete' | 'invalid'; fields: DraftField[] }
  | { kind: 'failed'; why: string };

export type Draft = {
  values: DraftValues;
  flaws: Partial<Record<DraftField, string>>;
  state: SaveState;
  change<Field extends DraftField>(field: Field, value: DraftValues[Field]): void;
  /** Changes several fields at once. */
  fill(values: Partial<DraftValues>): void;
};

const TYPING_MS = 800;
const RETRY_MS = 5_000;

/** Unsaved values of a draft, of a new one, or of a duplicate. */
const copyName = (posterId: string, id: string | null, source: OwnProject | null = null) =>
  `draft:${posterId}:${id ?? (source ? `copy-${source.id}` : 'new')}`;

type Wait = { state: SaveState; retryMs: number | null };

/**
 * The state of a draft's form. Saves when the user stops typing. Unsaved values are also in the browser's storage, so a
 * reload, a lost connection, or an invalid field loses nothing.
 */
export function useDraft(
  posterId: string,
  project: OwnProject | null,
  onCreated: (project: OwnProject) => void,
  source: OwnProject | null = null,
): Draft {
  const queries = useQueryClient();
  const [values, setValues] = useState<DraftValues>(
    // A copy of an older version lacks the newer fields.
    () => ({
      ...(project ? valuesOf(project) : source ? copyOf(source, new Date()) : newValues(new Date())),
      ...(loadItem(copyName(posterId, project?.id ?? null, source)) as Partial<DraftValues> | null),
    }),
  );
  const [state, setState] = useState<SaveState>({ kind: project ? 'saved' : 'waiting' });
  // The current values, for a save that is already running.
  const now = useRef({
    values,
    stored: project,
    busy: false,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  });

  const save = useCallback(async () => {
    const { current } = now;
    if (current.busy) return;
    current.busy = true;
    const wait = await saveOnce({ posterId, source, ...current }, setState, (saved) => {
      const created = current.stored === null;
      current.stored = saved;
      queries.setQueryData(ownQuery(posterId, ownProjectRoute, { params: { project_id: saved.id } }).queryKey, {
        project: saved,
      });
      if (created) removeItem(copyName(posterId, null, source));
      storeItem(copyName(posterId, saved.id), current.values);
      if (created) onCreated(saved);
    });
    current.busy = false;
    setState(wait.state);
    if (wait.state.kind === 'saved' && current.stored) removeItem(copyName(posterId, current.stored.id));
    clearTimeout(current.timer);
    if (wait.retryMs !== null) current.timer = setTimeout(() => void save(), wait.retryMs);
  }, [posterId, queries, onCreated, source]);

  useEffect(() => {
    const { current } = now;
    const soon = () => void save();
    soon();
    window.addEventListener('online', soon);
    return () => {
      window.removeEventListener('online', soon);
      clearTimeout(current.timer);
    };
  }, [save]);

  const fill: Draft['fill'] = (changed) => {
    const next = { ...now.current.values, ...changed };
    now.current.values = next;
    setValues(next);
    storeItem(copyName(posterId, now.current.stored?.id ?? null, source), next);
    setState({ kind: 'waiting' });
    clearTimeout(now.current.timer);
    now.current.timer = setTimeout(() => void save(), TYPING_MS);
  };
  const change: Draft['change'] = (field, value) => fill({ [field]: value });
  return { values, flaws: flawsOf(values, new Date()), state, change, fill };
}

type Current = { posterId: string; values: DraftValues; stored: OwnProject | null; source: OwnProject | null };

/** Saves the valid changes. Returns the state to show and the delay before the next save. */
async function saveOnce(
  { values, stored, source }: Current,
  report: (state: SaveState) => void,
  onSaved: (project: OwnProject) => void,
): Promise<Wait> {
  const at = new Date();
  const wrong = FIELDS.filter((field) => flawsOf(values, at)[field]);
  if (!stored && wrong.length > 0) return { state: { kind: 'incomplete', fields: wrong }, retryMs: null };
  const changes = stored ? changesBetween(valuesOf(stored), values, at) : null;
  const settled: SaveState = wrong.length > 0 ? { kind: 'invalid', fields: wrong } : { kind: 'saved' };
  if (changes && Object.keys(changes).length === 0) return { state: settled, retryMs: null };
  report({ kind: 'saving' });
  try {
    onSaved(stored ? await patch(stored.id, changes ?? {}) : await create(values, source));
    // The user typed during the save.
    return { state: settled, retryMs: 0 };
  } catch (error) {
    return waitAfter(error);
  }
}

/** The duplicate of a brief also has its reference pictures. */
async function create(values: DraftValues, source: OwnProject | null): Promise<OwnProject> {
  const body = Object.fromEntries(FIELDS.map((field) => [field, bodyValue(values, field)]));
  type Body = ApiInput<'POST /posters/me/projects'>['body'];
  if (source === null) return (await posterApi.call('POST /posters/me/projects', { body: body as Body })).project;
  const route = 'POST /posters/me/projects/{project_id}/duplicate';
  return (await posterApi.call(route, { params: { project_id: source.id }, body: body as Body })).project;
}

async function patch(id: string, body: object): Promise<OwnProject> {
  const params = { project_id: id };
  return (await posterApi.call('PATCH /posters/me/projects/{project_id}', { params, body })).project;
}

function waitAfter(error: unknown): Wait {
  const failed: SaveState = { kind: 'failed', why: describeError(error).text };
  if (!(error instanceof ApiError)) return { state: failed, retryMs: null };
  if (error.code === 'OFFLINE') return { state: { kind: 'offline' }, retryMs: RETRY_MS };
  const passing = error.status === 429 || error.status >= 500;
  return { state: failed, retryMs: passing ? Math.max(RETRY_MS, (error.retryAfter ?? 0) * 1000) : null };
}
