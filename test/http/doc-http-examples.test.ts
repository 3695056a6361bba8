import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ErrorCode, errorStatus } from '../../contract/basics/errors.ts';
import { type Answer, call, fund, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { type Block, docBlocks, operationOf, placeOf, requestOf } from '../support/docs/doc-blocks.ts';
import {
  createIntent,
  drawing,
  expectStatus,
  openProject,
  type OpenProject,
  ownProject,
  putPicture,
  requestUpload,
} from '../support/clients/journey.ts';
import { keyFor } from '../support/clients/requests.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Sends every request of the guides to the service, in the order of the guides: first one agent takes part, then one poster
// runs a project. Only placeholders are replaced. `call` compares each answer with the contract.

const world = await sharedWorld();
const { url } = world;

const keys = { agent: '', poster: '', operator: world.operatorKey };
const wallets = { agent: newPayer(), poster: newPayer() };
await fund(url, wallets.agent.address, 5);
await fund(url, wallets.poster.address, 300);
/** The present values of the guides' placeholders. */
const values = { project_id: '', submission_id: '', uploadUrl: '', id: '', question_id: '' };
/** The last message that a wallet has to sign. */
let message = '';

let seed = 0;
const nextPicture = async () => await drawing((seed += 1));
const picture = await nextPicture();

// The agent of the guide wins the first project and enters a set in the second one.
const lighthouse = await openProject(world, { prizeUsdc: 4 });
let winner = '';
const harbor = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 4 } });
/** The project of the poster's guide. */
let almanac = '';
let chosen = '';

/** Lets the agent of the guide reserve a place in another project. */
async function reserve({ id }: OpenProject): Promise<void> {
  values.project_id = id;
  values.submission_id = (await createIntent(url, keys.agent, id)).id;
}

async function upload(item: number): Promise<void> {
  const bytes = await nextPicture();
  const { project_id: projectId, submission_id: submissionId } = values;
  const request = { key: keys.agent, projectId, submissionId, sizeBytes: bytes.length, item };
  const answer = expectStatus(await requestUpload(url, { ...request, fetch: wallets.agent.pay }), 200);
  assert.equal(await putPicture(answer.body.data.uploadUrl, bytes), 200);
}

const untilCompleted = async (project: Pick<OpenProject, 'id' | 'poster'>) =>
  await until('the prize is settled', async () => (await ownProject(world, project))['status'] === 'completed');

const signed = async ({ account }: Payer) => ({ message, signature: await account.signMessage({ message }) });
const browser = newPayer();
const guidePoster = () => ({ id: '', key: keys.poster });

type Example = {
  /** The state that the guide takes for granted at this place. */
  before?: () => Promise<unknown> | void;
  /** The members of the body that are placeholders. */
  fill?: () => object | Promise<object>;
  /** The body that the example only describes. */
  bytes?: Buffer<ArrayBuffer>;
  /** Where the text of the guide, and no answer below the request, promises more than the status of the contract. */
  statuses?: number[];
  /** Keeps what later requests need. */
  keep?: (data: Answer['body']) => void;
};

const examples: Record<string, Example> = {
  // docs/agents.md
  'POST /agents/create': { keep: ({ apiKey }) => void (keys.agent = apiKey) },
  'PUT /agents/me': {},
  'GET /agents/projects?status=open&specializations=illustration,poster-design&max_entry_fee=0.5&order_by=prize_amount':
    {},
  'POST /agents/projects/{project_id}/questions': { before: () => void (values.project_id = lighthouse.id) },
  'POST /agents/projects/{project_id}/intent': {
    keep: ({ submission }) => void (values.submission_id = winner = submission.id),
  },
  'POST /agents/projects/{project_id}/submissions/{submission_id}': {
    fill: () => ({ fileSize: picture.length }),
    keep: ({ uploadUrl }) => void (values.uploadUrl = uploadUrl),
  },
  'PUT {uploadUrl}': { bytes: picture, statuses: [200] },
  'POST /agents/projects/{project_id}/submissions/{submission_id}/confirm': {},
  'POST /agents/projects/{project_id}/submissions/{submission_id}/confirm (2)': {
    statuses: [409],
    // Two of the four items that the request names.
    async before() {
      await reserve(harbor);
      for (const item of [1, 2]) await upload(item);
    },
  },
  'POST /agents/me/wallet/challenge': {
    fill: () => ({ address: wallets.agent.address }),
    keep: (data) => void ({ message } = data),
  },
  'PUT /agents/me/wallet': { fill: () => signed(wallets.agent) },
  'GET /agents/me/history?status=won&dateFrom=2026-11-01&limit=20': {
    async before() {
      values.submission_id = winner;
      expectStatus(await close(world, lighthouse), 200);
      expectStatus(await choose(world, lighthouse, { submissionId: winner }), 200);
      await untilCompleted(lighthouse);
    },
  },
  'GET /agents/me/submissions/{submission_id}/manifest': {},
  'GET /agents/me/events?after=now': {},
  'POST /agents/webhooks/projects': {},
  'POST /agents/me/webhooks': {},

  // docs/posters.md
  'POST /posters/create': { keep: ({ apiKey }) => void (keys.poster = apiKey) },
  'POST /posters/me/keys': {},
  'POST /posters/session/challenge': {
    fill: () => ({ address: browser.address }),
    keep: (data) => void ({ message } = data),
  },
  'POST /posters/session': { fill: () => signed(browser) },
  'POST /posters/me/projects': {
    fill: () => ({ auto_select_deadline: new Date(Date.now() + 86_400_000).toISOString() }),
    keep: ({ project }) => void (values.id = almanac = project.id),
  },
  'POST /posters/me/projects/{id}/publish': { statuses: [402, 200] },
  'GET /posters/me/projects/{id}/questions?filter=unanswered': {
    async before() {
      const body = { question: 'May the sun be red?' };
      expectStatus(await call(url, 'POST', `/agents/projects/${almanac}/questions`, { key: keys.agent, body }), 201);
    },
    keep: ({ questions }) => void (values.question_id = questions[0].id),
  },
  'POST /posters/me/projects/{id}/questions/{question_id}/answer': {},
  'POST /posters/me/projects/{id}/close': {
    async before() {
      ({ submissionId: chosen } = await enter(world, { id: almanac }, { picture: await nextPicture() }));
    },
  },
  // The guide goes on with a project whose winner is not chosen, so this request has one of its own.
  'POST /posters/me/projects/{id}/close-and-choose': {
    async before() {
      const project = await openProject(world, { poster: guidePoster() });
      values.id = project.id;
      ({ submissionId: values.submission_id } = await enter(world, project, { picture: await nextPicture() }));
    },
    fill: () => ({ submission_id: values.submission_id }),
  },
  'GET /posters/me/projects/{id}/submissions?filter=unscored&limit=20': {
    before() {
      values.id = almanac;
      values.submission_id = chosen;
    },
  },
  'PUT /posters/me/projects/{id}/submissions/{submission_id}/review': {},
  'PATCH /posters/me/projects/{id}/submissions/{submission_id}/note': {},
  'POST /posters/me/projects/{id}/winner': { fill: () => ({ submission_id: chosen }) },
  // The prize of the guide's project is awarded, so this request has one of its own.
  'POST /posters/me/projects/{id}/no-winner': {
    async before() {
      const project = await openProject(world, { poster: guidePoster() });
      values.id = project.id;
      await enter(world, project, { picture: await nextPicture() });
      expectStatus(await close(world, project), 200);
    },
    keep: ({ project: { status, cancel_reason, no_winner_reason } }) =>
      assert.deepEqual(
        [status, cancel_reason, no_winner_reason],
        ['cancelled', 'no_winner', 'None of the pictures shows a loaf.'],
      ),
  },
  'GET /posters/me/projects/{id}/submissions/{submission_id}/delivery': {
    async before() {
      values.id = almanac;
      await untilCompleted({ id: almanac, poster: guidePoster() });
    },
  },
  'POST /posters/me/webhooks': {},
};

/** Returns the statuses of the answers that the guide shows between this request and the next one. */
function shownStatuses(block: Block, success: number): number[] {
  const rest = blocks.slice(blocks.indexOf(block) + 1);
  const next = rest.findIndex(({ language, page }) => language === 'http' || page !== block.page);
  return rest
    .slice(0, next === -1 ? rest.length : next)
    .filter(({ language }) => language === 'json')
    .map(({ text }) => JSON.parse(text) as { success?: boolean; error?: { code: ErrorCode } | null })
    .filter((shown) => shown.success !== undefined)
    .map(({ error }) => (error ? errorStatus[error.code] : success));
}

async function bodyOf(text: string, { fill, bytes }: Example): Promise<string | Buffer<ArrayBuffer> | undefined> {
  if (bytes || !text) return bytes;
  const [written, filled] = [JSON.parse(text) as object, await fill?.()];
  for (const name of Object.keys(filled ?? {})) assert.ok(name in written, `the example has no ${name}`);
  return JSON.stringify({ ...written, ...filled });
}

/** Sends the request, and pays if that is what the guide says. Returns the statuses, and the last answer. */
async function send(block: Block, example: Example, statuses: number[]) {
  const { line, headers, body } = requestOf(block);
  const target = line.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => values[name as keyof typeof values] || assert.fail(`no value for ${name}`),
  );
  const [method = '', path = ''] = target.split(' ');
  const raw = await bodyOf(body, example);
  const spec = operationOf(line);
  if (!spec) {
    const { status } = await fetch(path, { method, headers, ...(raw === undefined ? {} : { body: raw }) });
    return { got: [status], answer: null };
  }
  const options = { ...keyFor(spec, keys), ...(raw === undefined ? {} : { raw }) };
  // A payment or an inspection that takes long answers 503, and its sender repeats the request.
  const ask = async (payment: Record<string, string> = {}) =>
    await until(line, async () => {
      const answer = await call(url, method, path, { ...options, headers: { ...headers, ...payment } });
      return answer.status === 503 ? null : answer;
    });
  const first = await ask();
  if (first.status !== 402 || statuses.length === 1) return { got: [first.status], answer: first };
  const payer = spec.auth === 'poster' ? wallets.poster : wallets.agent;
  const answer = await ask(await signPayment(payer, first));
  return { got: [first.status, answer.status], answer };
}

const blocks = await docBlocks();
const requests = blocks
  .filter(({ language }) => language === 'http')
  .map((block) => ({ block, line: requestOf(block).line }))
  .map(({ block, line }, index, all) => {
    const count = all.slice(0, index + 1).filter((each) => each.line === line).length;
    return { block, line, name: count === 1 ? line : `${line} (${count})` };
  });

describe('a request of the guides', () => {
  it('is known here, and the order is that of the guides', () => {
    assert.deepEqual(
      requests.map(({ name }) => name),
      Object.keys(examples),
    );
  });

  for (const { block, line, name } of requests)
    it(`${placeOf(block)} answers as promised: ${name}`, async () => {
      const example = examples[name];
      assert.ok(example, 'a new example needs a line in `examples`');
      await example.before?.();
      const success = operationOf(line)?.status ?? 200;
      const shown = shownStatuses(block, success);
      const statuses = example.statuses ?? (shown.length > 0 ? shown : [success]);
      const { got, answer } = await send(block, example, statuses);
      assert.deepEqual(got, statuses, JSON.stringify(answer?.body));
      example.keep?.(answer?.body.data);
    });
});
