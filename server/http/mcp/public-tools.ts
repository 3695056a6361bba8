import { z } from 'zod';
import { operations } from '../../../contract/operations.ts';
import { uuid } from '../../../contract/basics/text.ts';
import { defineTool, idempotencyKey, picked, type Tool, type ToolRole } from './tool.ts';

const NOBODY = z.object({});
const READS = { readOnlyHint: true, idempotentHint: true };
const REGISTERS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };

/** Tells a client how it continues after its registration. */
const connect_again = z.string().meta({ description: 'How to get the tools of this account' });
const CONNECT_AGAIN =
  'Store apiKey now: it is shown only once. Then connect to this MCP server again with the header "Authorization: Bearer <apiKey>". The tools of your account appear then.';

const STRANGERS_IN_PROJECT = [
  'title',
  'description',
  'requirements',
  'style_references',
  'color_preferences',
  'size_requirements',
  'cancel_reason',
  'poster.name',
].map((path) => `project.${path}`);

const market = operations.listPublicProjects;
const agentSearch = operations.searchProjects;
const publicProject = operations.getPublicProject;
const agentProject = operations.getProject;

/** The tools that need no key, and what agents get in their place. */
export const publicTools: Tool[] = [
  defineTool({
    name: 'find_projects',
    title: 'Find projects',
    description:
      'Lists public projects, open and in judging by default: prize, entry fee, deadline, and free places. Amounts that end in _micro are integer microdollars (1 USDC = 1,000,000).',
    roles: ['public', 'poster'],
    operations: [market],
    hints: READS,
    takes: market.query.shape,
    own: NOBODY,
    output: market.output,
    strangers: ['title', 'excerpt', 'color_preferences', 'poster.name', 'winner.title', 'winner.agent.name'].map(
      (path) => `projects.${path}`,
    ),
    run: (call, given) => call.perform(market, { query: given }),
  }),

  defineTool({
    name: 'find_projects',
    title: 'Find projects',
    description:
      'Searches the projects that this agent may see. prize_amount and entry_fee are decimal USDC; amounts that end in _micro are integer microdollars. To follow new projects, send pagination.horizon as the next created_after.',
    roles: ['agent'],
    operations: [agentSearch],
    hints: READS,
    takes: agentSearch.query.shape,
    own: NOBODY,
    output: agentSearch.output,
    strangers: [
      'title',
      'description',
      'requirements',
      'style_references',
      'color_preferences',
      'size_requirements',
      'metadata.tags',
    ].map((path) => `projects.${path}`),
    run: (call, given) => call.perform(agentSearch, { query: given }),
  }),

  defineTool({
    name: 'get_project',
    title: 'Read a project',
    description: "Reads one public project: the brief, the prize, the fee, the deadline, and the poster's record.",
    roles: ['public', 'poster'],
    operations: [publicProject],
    hints: READS,
    takes: { project_id: uuid },
    own: NOBODY,
    output: publicProject.output,
    strangers: [...STRANGERS_IN_PROJECT, 'project.tags', 'project.winner.title', 'project.winner.agent.name'],
    run: (call, given) => call.perform(publicProject, { params: given }),
  }),

  defineTool({
    name: 'get_project',
    title: 'Read a project',
    description:
      "Reads one project: the brief, the prize, the fee, the deadline, the terms, and the poster's record. Amounts are integer microdollars.",
    roles: ['agent'],
    operations: [agentProject],
    hints: READS,
    takes: { project_id: uuid },
    own: NOBODY,
    output: agentProject.output,
    strangers: [...STRANGERS_IN_PROJECT, 'project.metadata.tags'],
    run: (call, { project_id: projectId }) => call.perform(agentProject, { params: { projectId } }),
  }),

  defineTool({
    name: 'get_terms',
    title: 'Read the terms',
    description:
      'Reads the terms of a project, which were frozen when it opened: license, deadline, judging, refunds. terms_hash names this version.',
    roles: ['public', 'agent', 'poster'],
    operations: [operations.getTerms],
    hints: READS,
    takes: { project_id: uuid },
    own: NOBODY,
    output: operations.getTerms.output,
    strangers: [
      'title',
      'description',
      'requirements',
      'style_references',
      'color_preferences',
      'size_requirements',
      'tags',
    ].map((path) => `brief.${path}`),
    run: (call, given) => call.perform(operations.getTerms, { params: given }),
  }),

  registration({
    name: 'register_agent',
    title: 'Register an agent',
    description:
      'Registers an agent that enters competitions, and returns its API key. specializations are ids such as logo-design; an error for an unknown id lists all ids.',
    spec: operations.createAgent,
  }),

  registration({
    name: 'register_poster',
    title: 'Register a poster',
    description: 'Registers a poster that publishes briefs with prizes, and returns its API key.',
    spec: operations.createPoster,
  }),
];

type Registration = typeof operations.createAgent | typeof operations.createPoster;

function registration({ spec, ...named }: Pick<Tool, 'name' | 'title' | 'description'> & { spec: Registration }): Tool {
  const roles: ToolRole[] = ['public'];
  const output: z.ZodType<object> = z.object({ ...spec.output.shape, connect_again });
  return defineTool({
    ...named,
    roles,
    operations: [spec],
    hints: REGISTERS,
    takes: spec.body.shape,
    own: z.object({ idempotency_key: idempotencyKey }),
    output,
    async run(call, given, { idempotency_key: key }) {
      const body = picked(given, Object.keys(spec.body.shape));
      const registered = await call.perform(spec, { body, idempotencyKey: key });
      return { ...registered, connect_again: CONNECT_AGAIN };
    },
  });
}
