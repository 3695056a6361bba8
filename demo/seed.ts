import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { operations } from '../contract/operations.ts';
import { type Client, ConcoursError, createClient, type EntryStep } from '../sdk/src/index.ts';
import { type DemoAgent, entryOf, registerAgent } from './agent.ts';
import { type Artist, artists, brief, type Brief, openBrief, secondBrief } from './cast.ts';
import { ask, DemoError, RETRY_SECONDS } from './client.ts';
import { judge, untilSettled } from './jury.ts';
import { type DemoPoster, type OpenProject, registerPoster } from './poster.ts';
import { openStudio, type Studio } from './studio.ts';

export type SeedOptions = {
  url: string;
  operatorKey: string;
  /** Longer side of the pictures, in pixels. */
  longerSidePx: number;
  /** Restarts the service at the same URL, with other waiting times. Null: the seed did not start the service. */
  restart: ((waits: Waits) => Promise<void>) | null;
  signal: AbortSignal;
};

/** The settings of the waiting times that are 0 in a development start. A project keeps those that it opened with. */
export type Waits = { CLOSE_NOTICE_MINUTES: string; AUTO_PAYOUT_HOLD_HOURS: string };

/** The created market. `state` describes in words what a reader can see. */
export type SeededMarket = {
  projects: { id: string; title: string; state: string }[];
  posters: { name: string; key: string }[];
  agents: { name: string; key: string; state: string }[];
  /** States that this service cannot have, each with the reason. */
  missing: string[];
};

const NOTICE: Waits = { CLOSE_NOTICE_MINUTES: '720', AUTO_PAYOUT_HOLD_HOURS: '72' };
const WEEK_MS = 7 * 86_400_000;
const PATIENCE_MS = 60_000;

const ideas = {
  draft: { ...openBrief, title: 'Dusk: the last inside page of the almanac' },
  open: { ...openBrief, title: 'Frost: the January page' },
  entered: brief,
  full: { ...openBrief, title: 'Blossom: the April page', max_entries: 2 },
  judging: { ...secondBrief, title: 'Harvest moon: the September page' },
  completed: { ...openBrief, title: 'Thaw: the March page' },
  cancelled: { ...secondBrief, title: 'Fog: the November page' },
  held: { ...openBrief, title: 'Rain: the October page', judging_hours: 0 },
  closing: { ...openBrief, title: 'Meadow: the June page' },
} satisfies Record<string, Brief & { judging_hours?: number }>;

/**
 * Fills a development service with projects in every state, over HTTP and with real payments in test USDC. A second run
 * adds a second market: new posters, agents, projects, and pictures.
 *
 * @throws DemoError if the service refuses a request, for example because of the operator's key
 */
export async function seedMarket(options: SeedOptions): Promise<SeededMarket> {
  const { url, operatorKey, longerSidePx, restart, signal } = options;
  const operator = createClient({ url, key: operatorKey, signal, retrySeconds: RETRY_SECONDS });
  await requireDevelopment(operator, url);
  const studio = openStudio();
  try {
    // Each run draws different pictures. Equal pictures of two agents would be copies.
    const run = crypto.randomUUID();
    const cast = artists.map((artist) => ({
      ...artist,
      ...fitted(artist, longerSidePx),
      seed: `${artist.name} ${run}`,
    }));
    const posters = await Promise.all([
      registerPoster(url, signal, 'Almanac House'),
      registerPoster(url, signal, 'Night Press'),
    ]);
    const agents = await Promise.all(cast.map((artist) => registerAgent(url, artist, signal)));
    return await fill({ url, operator, studio, signal, restart, posters, agents });
  } finally {
    await studio.close();
  }
}

async function requireDevelopment(operator: Client, url: string): Promise<void> {
  const { development } = await ask(operator, operations.getNetwork);
  if (!development) throw new DemoError(`${url} is not a development service. The seed pays with test money only.`);
  try {
    await ask(operator, operations.getOverview);
  } catch (error) {
    if (!(error instanceof ConcoursError)) throw error;
    throw new DemoError(
      `${url} refuses the operator's key (${error.code}). Set OPERATOR_KEY to the key of that service.`,
    );
  }
}

function fitted({ size: { width, height } }: Artist, longerSidePx: number): Pick<Artist, 'size'> {
  const scale = longerSidePx / Math.max(width, height);
  return { size: { width: Math.round(width * scale), height: Math.round(height * scale) } };
}

type Stage = Pick<SeedOptions, 'url' | 'restart' | 'signal'> & {
  operator: Client;
  studio: Studio;
  posters: [DemoPoster, DemoPoster];
  agents: DemoAgent[];
};

async function fill(stage: Stage): Promise<SeededMarket> {
  const { operator, signal, posters, agents } = stage;
  const [almanac, press] = posters;
  const agent = (index: number) => agentOf(stage, index);
  const draftId = await almanac.draftProject(ideas.draft);
  const open = await press.openProject(ideas.open);

  const entered = await almanac.openProject(ideas.entered);
  await enterUntil(stage, agent(0), entered, 'reserved');
  await enterUntil(stage, agent(1), entered, 'uploading');
  const { picture: original } = await confirm(stage, agent(2), entered);
  await confirm(stage, agent(3), entered);
  const copy = await sharp(original).resize({ width: 400 }).toFormat(agent(4).artist.encoding).toBuffer();
  await confirm(stage, agent(4), entered, copy);

  const full = await press.openProject(ideas.full);
  for (const index of [1, 3]) await confirm(stage, agent(index), full);

  const judging = await press.openProject(ideas.judging);
  for (const index of [0, 1]) await confirm(stage, agent(index), judging);
  await closeAndScoreOne(judging);

  const completed = await almanac.openProject(ideas.completed);
  for (const index of [2, 3, 5]) await confirm(stage, agent(index), completed);
  await judge(completed, signal);

  const cancelled = await press.openProject(ideas.cancelled);
  await confirm(stage, agent(5), cancelled);
  await enterUntil(stage, agent(6), cancelled, 'uploading');
  await ask(operator, operations.cancelProjectAsOperator, {
    params: { project_id: cancelled.id },
    body: { reason: 'The poster lost the right to the text of this page.' },
  });

  await restrict(operator, agent(6), { status: 'limited', reason: 'Two posters complained.' });
  const until = new Date(Date.now() + WEEK_MS).toISOString();
  await restrict(operator, agent(7), { status: 'suspended', reason: 'Sent advertisements as entries.', until });
  for (const project of [completed, cancelled]) await untilSettled(project, signal);
  const waiting = await fillWaiting(stage, open);

  const states = ['active', 'active', 'active', 'active', 'active, entered a copy', 'active', 'limited', 'suspended'];
  return {
    projects: [
      { id: draftId, title: ideas.draft.title, state: 'draft' },
      { ...open, state: 'open, no entries' },
      { ...entered, state: 'open: one reserved, one paid and three confirmed entries, one of them a copy' },
      { ...full, state: 'open and full: both places are taken' },
      { ...judging, state: 'judging: two entries, one scored' },
      { ...completed, state: 'completed: the winner is paid' },
      { ...cancelled, state: 'canceled by the operator: prize and entry fees refunded' },
      ...waiting.projects,
    ].map(({ id, title, state }) => ({ id, title, state })),
    posters: posters.map(({ name, key }) => ({ name, key })),
    agents: agents.map(({ artist: { name }, key }, index) => ({ name, key, state: states[index] ?? '' })),
    missing: waiting.missing,
  };
}

function agentOf({ agents }: Stage, index: number): DemoAgent {
  const found = agents[index];
  if (!found) throw new DemoError(`The cast has no agent number ${index}.`);
  return found;
}

/** Creates the projects in which something waits: a result for its payout, and entries for an announced end. */
async function fillWaiting(stage: Stage, open: OpenProject): Promise<Pick<SeededMarket, 'projects' | 'missing'>> {
  const [, press] = stage.posters;
  const agent = (index: number) => agentOf(stage, index);
  const { terms } = await ask(stage.operator, operations.getTerms, { params: { project_id: open.id } });
  const made: Pick<SeededMarket, 'projects' | 'missing'> = { projects: [], missing: [] };
  if (terms.hold && terms.hold.seconds > 0) made.projects.push(await holdResult(stage));
  else made.missing.push('No result is on hold: AUTO_PAYOUT_HOLD_HOURS of this service is 0.');
  if (stage.restart) {
    await stage.restart(NOTICE);
    const closing = await press.openProject(ideas.closing);
    await confirm(stage, agent(4), closing);
    await enterUntil(stage, agent(2), closing, 'uploading');
    await closing.poster.close(closing.id);
    made.projects.push({ ...closing, state: 'open until an announced end: one confirmed and one paid entry' });
  } else made.missing.push('No early end is announced: that takes a service that the seed starts itself.');
  return made;
}

/** Creates a project that nobody judged. Its shares are on hold. */
async function holdResult(stage: Stage): Promise<SeededMarket['projects'][number]> {
  const { url, signal } = stage;
  const [almanac] = stage.posters;
  const [first, second] = [agentOf(stage, 0), agentOf(stage, 5)];
  const held = await almanac.openProject(ideas.held);
  await confirm(stage, first, held);
  await confirm(stage, second, held);
  await held.poster.close(held.id);
  await untilHeld(createClient({ url, key: almanac.key, signal }), held, signal);
  return { ...held, state: 'judging: nobody was chosen; the shares are on hold' };
}

/** Enters a project and stops at a step, as an agent whose process ends there: a reserved entry, or a paid one. */
async function enterUntil(
  { studio, signal }: Stage,
  agent: DemoAgent,
  { id }: OpenProject,
  last: EntryStep['step'],
): Promise<void> {
  const stopped = new AbortController();
  const entry = await entryOf(agent, id, await drawingOf(agent, id, studio));
  const onProgress = ({ step }: EntryStep) => {
    if (step === last) stopped.abort();
  };
  try {
    await agent.sdk.enter(id, { ...entry, signal: stopped.signal, onProgress });
  } catch (error) {
    if (!stopped.signal.aborted || signal.aborted) throw error;
  }
}

/** Enters a picture and returns it. The agent draws the picture unless the caller passes one. */
async function confirm(
  { studio }: Stage,
  agent: DemoAgent,
  { id }: OpenProject,
  given?: Buffer,
): Promise<{ picture: Buffer; submissionId: string }> {
  const picture = given ?? (await drawingOf(agent, id, studio));
  const entry = await agent.sdk.enter(id, await entryOf(agent, id, picture));
  return { picture, submissionId: entry.id };
}

async function drawingOf({ artist }: DemoAgent, projectId: string, studio: Studio): Promise<Buffer> {
  return await studio.draw({ ...artist, seed: `${artist.seed} ${projectId}` });
}

async function closeAndScoreOne({ poster, id }: OpenProject): Promise<void> {
  await poster.close(id);
  for await (const { id: submissionId } of poster.entries(id)) {
    await poster.score(id, submissionId, 4, 'Good light. The horizon is too high for the title.');
    return;
  }
}

async function restrict(
  operator: Client,
  { id }: DemoAgent,
  body: { status: string; reason: string; until?: string },
): Promise<void> {
  await ask(operator, operations.setAgentStatus, { params: { agent_id: id }, body });
}

/** Waits for the timer that decides a project whose time for judging is over. */
async function untilHeld(poster: Client, { id }: OpenProject, signal: AbortSignal): Promise<void> {
  const params = { project_id: id };
  await waitFor(
    `The result of project ${id} was not put on hold`,
    async () => (await ask(poster, operations.getOwnProject, { params })).project.result_on_hold !== null,
    signal,
  );
}

async function waitFor(failure: string, isTrue: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; performance.now() < giveUpAt;) {
    if (await isTrue()) return;
    await sleep(500, undefined, { signal });
  }
  throw new DemoError(`${failure} within ${PATIENCE_MS / 1000} s.`);
}
