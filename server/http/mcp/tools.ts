import { z } from 'zod';
import { operations } from '../../../contract/operations.ts';
import { BRIEF_TEXTS } from '../../../contract/projects/brief.ts';
import { MAX_FILE_BYTES } from '../../../contract/projects/submissions.ts';
import { chooseWinnerTool, STRANGERS_IN_ENTRY } from './choose-winner.ts';
import { enterProject } from './enter-project.ts';
import { type Next, toolNext, toToolNext } from './next.ts';
import { toolOf } from './operation-tool.ts';
import type { Tool, ToolCall } from './tool.ts';

const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
const ADDS = { ...CHANGES, idempotentHint: false };

const inside = (parent: string, names: readonly string[]) => names.map((name) => `${parent}.${name}`);
const WINNER = ['winner.title', 'winner.agent.name'];
const SHOWN = inside('project', [...BRIEF_TEXTS, 'cancel_reason', 'no_winner_reason', 'poster.name']);

const NEEDS_HEADER =
  'The tools of the account need this key in the header Authorization of the connection: make sure first that the client can send one.';

/** The tools that need no key, and what agents get in their place. */
const publicTools = [
  toolOf(operations.listPublicProjects, {
    name: 'find_projects',
    title: 'Find projects',
    description:
      'Lists public projects, open and in judging by default: prize, entry fee, deadline, and free places. Amounts that end in _micro are integer microdollars (1 USDC = 1,000,000).',
    roles: ['public', 'poster'],
    strangers: inside('projects', ['title', 'excerpt', 'color_preferences', 'poster.name', ...WINNER]),
  }),
  toolOf(operations.searchProjects, {
    name: 'find_projects',
    title: 'Find projects',
    description:
      'Searches the projects that this agent may see. prize_amount and entry_fee are decimal USDC; amounts that end in _micro are integer microdollars. To follow new projects, send pagination.horizon as the next created_after.',
    strangers: inside('projects', [...BRIEF_TEXTS, 'metadata.tags']),
  }),
  toolOf(operations.getPublicProject, {
    name: 'get_project',
    title: 'Read a project',
    description: "Reads one public project: the brief, the prize, the fee, the deadline, and the poster's record.",
    roles: ['public', 'poster'],
    strangers: [...SHOWN, 'project.tags', ...inside('project', WINNER)],
  }),
  toolOf(operations.getProject, {
    name: 'get_project',
    title: 'Read a project',
    description:
      "Reads one project: the brief, the prize, the fee, the deadline, the terms, and the poster's record. Amounts are integer microdollars.",
    strangers: [...SHOWN, 'project.metadata.tags'],
  }),
  toolOf(operations.getTerms, {
    name: 'get_terms',
    title: 'Read the terms',
    description:
      'Reads the terms of a project, which were frozen when it opened: license, deadline, judging, refunds. terms_hash names this version.',
    roles: ['public', 'agent', 'poster'],
    strangers: inside('brief', [...BRIEF_TEXTS, 'tags']),
  }),
  toolOf(operations.createAgent, {
    name: 'register_agent',
    title: 'Register an agent',
    description: `Registers an agent that enters competitions, and returns its API key. ${NEEDS_HEADER} specializations are ids such as logo-design; an error for an unknown id lists all ids.`,
    hints: ADDS,
    answer: registered(operations.createAgent.output),
  }),
  toolOf(operations.createPoster, {
    name: 'register_poster',
    title: 'Register a poster',
    description: `Registers a poster that publishes briefs with prizes, and returns its API key. ${NEEDS_HEADER}`,
    hints: ADDS,
    answer: registered(operations.createPoster.output),
  }),
];

/** Tells a client how it continues after its registration, also one that cannot send a header. */
function registered(output: z.ZodObject) {
  const connect_again = z.string().meta({ description: 'How to get the tools of this account' });
  return {
    output: z.object({ ...output.shape, connect_again }),
    of: (data: object, { deps: { publicUrl } }: ToolCall) => ({
      ...data,
      connect_again: `Store apiKey now: it is shown only once. Then connect to this MCP server again with the header "Authorization: Bearer <apiKey>". The tools of your account appear then. The header stands in the configuration of the client, so ask your user if you cannot change it. A client without headers goes through a bridge: npx mcp-remote ${publicUrl}/mcp --header "Authorization: Bearer <apiKey>". A program that can send HTTP needs no MCP: ${publicUrl}/skill.md.`,
    }),
  };
}

const { quoteEntry, listSubmissions, getMe, getAgentMoney } = operations;
const ownEntry = listSubmissions.output.shape.submissions.element.extend({ next: toolNext });

/** The tools of an agent, beside those of the market. */
const agentTools = [
  toolOf(quoteEntry, {
    name: 'quote_entry',
    title: 'Ask for the price of an entry',
    description:
      'Says whether this agent could enter a project now, at which fee, and what stands against it. Changes nothing and costs nothing.',
    answer: {
      output: quoteEntry.output.extend({ next: toolNext }),
      of: (quote: { next: Next | null }) => ({ ...quote, next: toToolNext(quote.next) }),
    },
  }),
  enterProject,
  toolOf(operations.requestUpload, {
    name: 'request_upload',
    title: 'Pay and get an upload URL',
    description: `Pays the entry fee of a reserved entry over x402, once, and returns an upload URL for one file of at most ${MAX_FILE_BYTES} bytes. PUT the file there with its Content-Type, then call confirm_entry. Later calls for the same entry are free.`,
    hints: ADDS,
  }),
  toolOf(operations.confirmUpload, {
    name: 'confirm_entry',
    title: 'Confirm an entry',
    description:
      'Confirms the uploaded files of an entry. Only confirmed entries compete, and nothing can be added afterwards. On CONFIRMATION_PENDING, call it again after retry_after_seconds.',
    hints: CHANGES,
  }),
  toolOf(listSubmissions, {
    name: 'my_entries',
    title: 'List my entries',
    description:
      'Lists the entries of this agent in every state, newest first. After a crash, do what next of each pending entry says until it is null; no fee is charged twice. For a whole set, upload items_missing first.',
    strangers: ['submissions.project_title'],
    answer: {
      output: listSubmissions.output.extend({ submissions: z.array(ownEntry) }),
      of: ({ submissions, ...rest }: { submissions: { next: Next | null }[] }) => ({
        submissions: submissions.map((each) => ({ ...each, next: toToolNext(each.next) })),
        ...rest,
      }),
    },
  }),
  toolOf(getMe, {
    name: 'my_account',
    title: 'Read my account',
    description: 'Reads the profile, wallet, quota of the day, and money of this agent.',
    answer: {
      output: getMe.output.extend({
        money: getAgentMoney.output.shape.total
          .nullable()
          .meta({ description: 'What the agent paid and received; null while it is suspended' }),
      }),
      async of(account: z.output<typeof getMe.output>, call: ToolCall) {
        const isSuspended = account.agent.status === 'suspended';
        const money = isSuspended ? null : await call.perform(getAgentMoney, { query: { limit: 1 } });
        return { ...account, money: money?.total ?? null };
      },
    },
  }),
  toolOf(operations.listAgentEvents, {
    name: 'events',
    title: 'Read what happened',
    description:
      'Reads the events of the market and of this account, oldest first. Send cursor as after of the next call; wait holds the call until something happens.',
    strangers: inside('events.data', [
      'reason',
      'question',
      'answer',
      'project.title',
      'project.description',
      'project.requirements',
      'project.size_requirements',
    ]),
  }),
];

/** The tools of a poster, beside those of the market. */
const posterTools = [
  toolOf(operations.draftProject, {
    name: 'draft_brief',
    title: 'Draft a brief',
    description:
      'Saves a brief as a draft that only this poster sees. prize_amount and entry_fee are decimal USDC. publish_brief opens it for entries.',
    hints: ADDS,
  }),
  toolOf(operations.publishProject, {
    name: 'publish_brief',
    title: 'Publish a brief',
    description:
      'Pays the prize of a draft into escrow over x402, and opens it for entries. The prize goes to the winner, or back if nobody can win. Repeating it for an open brief costs nothing.',
    hints: CHANGES,
  }),
  toolOf(operations.listOwnProjects, {
    name: 'my_briefs',
    title: 'List my briefs',
    description: 'Lists the briefs of this poster in every state, newest first.',
    strangers: ['projects.shown_entry.title'],
  }),
  toolOf(operations.listEntries, {
    name: 'list_entries',
    title: 'List the entries of a brief',
    description:
      'Lists the confirmed entries of one of your briefs, earliest first, with URLs of previews that work until urls_expire_at.',
    strangers: inside('submissions', STRANGERS_IN_ENTRY),
  }),
  toolOf(operations.reviewSubmission, {
    name: 'score_entry',
    title: 'Score an entry',
    description:
      'Scores a confirmed entry from 1 to 5, with feedback for its agent. The score can change until the prize is awarded.',
    hints: CHANGES,
  }),
  chooseWinnerTool,
  toolOf(operations.getDelivery, {
    name: 'get_delivery',
    title: 'Receive the work',
    description:
      'Returns URLs of the original files of the winning entry, once its prize has settled on chain. Anyone with a URL can use it for five minutes.',
    strangers: ['files.file_name', 'entry.title', 'entry.agent.name'],
  }),
  toolOf(operations.listPosterEvents, {
    name: 'events',
    title: 'Read what happened',
    description:
      'Reads the events of the briefs of this poster, such as new entries, oldest first. Send cursor as after of the next call; wait holds the call until something happens.',
    strangers: ['events.data.reason', 'events.data.question'],
  }),
];

/** Every tool of every role. Only a development start shows the last one. */
export const tools: readonly Tool[] = [
  ...publicTools,
  ...agentTools,
  ...posterTools,
  toolOf(operations.mintTestUsdc, {
    name: 'fund_wallet',
    title: 'Get test USDC',
    description:
      'Mints test USDC to a wallet, without any cost. Use it to pay an entry fee or a prize on this test network. Only a development start of the service has this tool.',
    roles: ['agent', 'poster'],
    hints: ADDS,
  }),
];
