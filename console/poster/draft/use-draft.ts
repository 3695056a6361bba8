import { useCallback, useEffect, useState } from 'react';
import { ApiError, type ApiInput, markedSession } from '../../api/public.ts';
import { describeError } from '../../components/public.ts';
import { posterBrief } from '../../messages/public.ts';
import { itemNames, loadItem, removeItem, storeItem } from '../account/browser-storage.ts';
import { changeProject, type OwnProject, useShowProject } from '../account/own-projects.ts';
import { posterApi, posterStore } from '../account/poster-session.ts';
import {
  bodyValue,
  changedFields,
  changesBetween,
  copyOf,
  type DraftField,
  type DraftValues,
  FIELDS,
  flawsOf,
  newValues,
  takeChanges,
  valuesIn,
  valuesOf,
} from './draft-values.ts';

export type SaveState =
  | { kind: 'saved' | 'saving' | 'waiting' | 'offline' | 'deleted' | 'here' }
  | { kind: 'incomplete' | 'invalid'; fields: DraftField[] }
  | { kind: 'failed'; why: string };

export type Draft = {
  values: DraftValues;
  flaws: Partial<Record<DraftField, string>>;
  state: SaveState;
  change<Field extends DraftField>(field: Field, value: DraftValues[Field]): void;
  /** Changes several fields at once. */
  fill(values: Partial<DraftValues>): void;
  /** Saves a deleted draft as a new one. */
  recreate(): void;
};

/** Stands for the poster while nobody is signed in: the draft is in the browser only. */
const VISITOR = 'visitor';

const TYPING_MS = 800;
const RETRY_MS = 5_000;
const DAY_MS = 86_400_000;

/** Unsaved values of a draft, of a new one, or of a duplicate. */
const copyName = (posterId: string, id: string | null, source: OwnProject | null = null) =>
  `draft:${posterId}:${id ?? (source ? `copy-${source.id}` : 'new')}`;

/**
 * Stores what the service does not have. Stored fields without a change would undo those of another window after a
 * reload.
 */
function storeCopy(name: string, values: DraftValues, stored: OwnProject | null): void {
  const unsaved = stored ? changedFields(valuesOf(stored), values) : FIELDS;
  if (unsaved.length === 0) removeItem(name);
  else storeItem(name, valuesIn(values, unsaved));
}

/** Removes the browser's copy of a draft that the service has deleted. */
export function forgetDraft({ id }: OwnProject): void {
  removeItem(copyName(posterStore.owner(), id));
}

/** The time of the newest link that this browser has written or taken. */
const NEWEST_LINK = 'brief-link';

/** Returns the brief for a link. This browser does not take it back: its own copy may be newer by then. */
export function briefOf(values: DraftValues): object {
  const at = Date.now();
  storeItem(NEWEST_LINK, at);
  return { ...values, at };
}

/**
 * Takes the brief of a link instead of the browser's copy, once: a reload, or an older link, brings no old text back.
 * Anybody can write a link, so the user agrees before it replaces a text or becomes a draft of the account.
 */
export function takeBrief(brief: (Partial<DraftValues> & { at?: unknown }) | undefined): void {
  const now = new Date();
  if (typeof brief?.at !== 'number' || brief.at <= Number(loadItem(NEWEST_LINK))) return;
  // The clock of the other device may differ. A time far ahead would shut out all later links.
  if (brief.at > now.getTime() + DAY_MS) return;
  const usual = newValues(now);
  const flaws = flawsOf({ ...usual, ...brief }, now);
  const sound = FIELDS.filter((field) => typeof brief[field] === typeof usual[field] && !flaws[field]);
  if (sound.length === 0) return;
  storeItem(NEWEST_LINK, brief.at);
  const given = valuesIn({ ...usual, ...brief }, sound);
  const needsConsent = markedSession('poster') !== null || itemNames('draft:').some((name) => name.endsWith(':new'));
  if (needsConsent && !confirm(posterBrief.path.link)) return;
  // So that the form does not ask again.
  removeItem(copyName(markedSession('poster') ?? VISITOR, null));
  storeItem(copyName(VISITOR, null), given);
}

type Form = {
  setValues(values: DraftValues): void;
  setState(state: SaveState): void;
  onCreated(project: OwnProject): void;
};

/** The current state, for a save that is already running. */
type Now = {
  values: DraftValues;
  stored: OwnProject | null;
  busy: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The request that creates the draft, until the service has answered. */
  creation: { key: string; values: DraftValues } | null;
  /** Null after the page was left: the running save is the last one then. */
  form: Form | null;
};

/**
 * The drafts whose save is running, by the name of their copy. A form that is opened again meanwhile continues with it: a
 * save of its own would create a second draft, or could arrive first.
 */
const saving = new Map<string, Now>();

function opened(posterId: string, project: OwnProject | null, source: OwnProject | null): Now {
  const name = copyName(posterId, project?.id ?? null, source);
  const running = saving.get(name);
  if (running) return running;
  // The text that the poster wrote before signing in, or that a link brought, becomes the poster's. It replaces another one
  // only if the poster agrees, and waits otherwise.
  const written = project || source || posterId === VISITOR ? null : loadItem(copyName(VISITOR, null));
  if (written !== null && (loadItem(name) === null || confirm(posterBrief.path.written))) {
    removeItem(copyName(VISITOR, null));
    storeItem(name, written);
  }
  const values = {
    ...(project ? valuesOf(project) : source ? copyOf(source, new Date()) : newValues(new Date())),
    // A copy of an older version lacks the newer fields.
    ...(loadItem(name) as Partial<DraftValues> | null),
  };
  return { values, stored: project, busy: false, timer: undefined, creation: null, form: null };
}

type Wait = { state: SaveState; retryMs: number | null };

/**
 * The state of a draft's form. Saves when the user stops typing. Unsaved values are also in the browser's storage, so a
 * reload, a lost connection, or an invalid field loses nothing.
 */
export function useDraft(
  project: OwnProject | null,
  source: OwnProject | null,
  onCreated: (project: OwnProject) => void,
): Draft {
  const posterId = posterStore.use().account?.poster.id ?? VISITOR;
  const show = useShowProject();
  const [current] = useState(() => opened(posterId, project, source));
  const [values, setValues] = useState(current.values);
  const [state, setState] = useState<SaveState>({ kind: current.busy ? 'saving' : project ? 'saved' : 'waiting' });

  const save = useCallback(async () => {
    if (current.busy) return;
    current.busy = true;
    const name = copyName(posterId, current.stored?.id ?? null, source);
    saving.set(name, current);
    const report = (next: SaveState) => current.form?.setState(next);
    const wait = await saveOnce(current, { posterId, source }, report, (saved, before) => {
      const created = current.stored === null;
      current.stored = saved;
      // With the changes of other windows.
      current.values = takeChanges(current.values, before, valuesOf(saved));
      current.form?.setValues(current.values);
      show(saved);
      if (created) removeItem(name);
      storeCopy(copyName(posterId, saved.id), current.values, saved);
      if (created) current.form?.onCreated(saved);
    });
    saving.delete(name);
    current.busy = false;
    report(wait.state);
    if (wait.state.kind === 'saved' && current.stored)
      storeCopy(copyName(posterId, current.stored.id), current.values, current.stored);
    clearTimeout(current.timer);
    if (wait.retryMs !== null && current.form) current.timer = setTimeout(() => void save(), wait.retryMs);
  }, [current, posterId, source, show]);

  useEffect(() => {
    current.form = { setValues, setState, onCreated };
    const soon = () => void save();
    soon();
    window.addEventListener('online', soon);
    return () => {
      current.form = null;
      window.removeEventListener('online', soon);
      clearTimeout(current.timer);
    };
  }, [current, save, onCreated]);

  useNewer(current, project, state);

  const fill: Draft['fill'] = (changed) => {
    current.values = { ...current.values, ...changed };
    setValues(current.values);
    storeCopy(copyName(posterId, current.stored?.id ?? null, source), current.values, current.stored);
    setState({ kind: 'waiting' });
    clearTimeout(current.timer);
    current.timer = setTimeout(() => void save(), TYPING_MS);
  };
  const change: Draft['change'] = (field, value) => fill({ [field]: value });
  const recreate = () => {
    current.stored = null;
    void save();
  };
  return { values, flaws: flawsOf(values, new Date()), state, change, fill, recreate };
}

/** Takes what another window, or a program, has changed. An answer to an older request brings nothing back. */
function useNewer(current: Now, project: OwnProject | null, state: SaveState): void {
  useEffect(() => {
    const { stored, values, busy } = current;
    if (busy || !project || !stored || project.updated_at <= stored.updated_at) return;
    current.values = takeChanges(values, valuesOf(stored), valuesOf(project));
    current.stored = project;
    current.form?.setValues(current.values);
  }, [current, project, state]);
}

/** Saves the valid changes. Returns the state to show and the delay before the next save. */
async function saveOnce(
  current: Now,
  { posterId, source }: { posterId: string; source: OwnProject | null },
  report: (state: SaveState) => void,
  /** `before`: the stored draft with the changes that this save sent. */
  onSaved: (project: OwnProject, before: DraftValues) => void,
): Promise<Wait> {
  const { values, stored } = current;
  const at = new Date();
  const wrong = FIELDS.filter((field) => flawsOf(values, at)[field]);
  if (!stored && wrong.length > 0) return { state: { kind: 'incomplete', fields: wrong }, retryMs: null };
  if (posterId === VISITOR) return { state: { kind: 'here' }, retryMs: null };
  const changes = stored ? changesBetween(valuesOf(stored), values, at) : null;
  const settled: SaveState = wrong.length > 0 ? { kind: 'invalid', fields: wrong } : { kind: 'saved' };
  if (changes && Object.keys(changes).length === 0) return { state: settled, retryMs: null };
  report({ kind: 'saving' });
  try {
    if (stored && changes) {
      const before = { ...valuesOf(stored), ...valuesIn(values, Object.keys(changes) as DraftField[]) };
      onSaved(await changeProject(stored, changes as object), before);
    } else onSaved(...(await create(current, source)));
    // The user typed during the save.
    return { state: settled, retryMs: 0 };
  } catch (error) {
    const isDeleted = stored !== null && error instanceof ApiError && error.code === 'PROJECT_NOT_FOUND';
    return isDeleted ? { state: { kind: 'deleted' }, retryMs: null } : afterRefusal(current, waitAfter(error));
  }
}

/** A refused creation is over: the next one sends the newest text. */
function afterRefusal(current: Now, wait: Wait): Wait {
  const { creation, values } = current;
  if (creation === null || wait.retryMs !== null) return wait;
  current.creation = null;
  return creation.values === values ? wait : { ...wait, retryMs: 0 };
}

/**
 * Returns the new draft with the values that it was created with. After a lost answer, it may exist: the same request with
 * the same key creates no second one. The duplicate of a brief also has its reference pictures.
 */
async function create(current: Now, source: OwnProject | null): Promise<[OwnProject, DraftValues]> {
  current.creation ??= { key: crypto.getRandomValues(new BigUint64Array(2)).join('-'), values: current.values };
  const { key, values } = current.creation;
  const headers = { 'idempotency-key': key };
  const fields = Object.fromEntries(FIELDS.map((field) => [field, bodyValue(values, field)]));
  type Body = ApiInput<'POST /posters/me/projects'>['body'];
  const body = { ...(fields as Body), pictures_of: source?.id };
  const { project } = await posterApi.call('POST /posters/me/projects', { headers, body });
  current.creation = null;
  return [project, values];
}

function waitAfter(error: unknown): Wait {
  const failed: SaveState = { kind: 'failed', why: describeError(error).text };
  if (!(error instanceof ApiError)) return { state: failed, retryMs: null };
  if (error.code === 'OFFLINE') return { state: { kind: 'offline' }, retryMs: RETRY_MS };
  const passing = error.status === 429 || error.status >= 500 || error.code === 'IDEMPOTENCY_IN_PROGRESS';
  return { state: failed, retryMs: passing ? Math.max(RETRY_MS, (error.retryAfter ?? 0) * 1000) : null };
}
