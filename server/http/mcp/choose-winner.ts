import { z } from 'zod';
import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import { operations } from '../../../contract/operations.ts';
import { uuid } from '../../../contract/basics/text.ts';
import { defineTool, type ToolCall } from './tool.ts';

const MAX_TOKEN_LENGTH = 500;

const { listEntries, getOwnProject, chooseWinner } = operations;
const entry = listEntries.output.shape.submissions.element;
const project = getOwnProject.output.shape.project;

/**
 * The fields of an entry that its agent wrote or that name the agent. The feedback may be of the AI judge, which has read what
 * the agent wrote and drew.
 */
export const STRANGERS_IN_ENTRY = ['title', 'description', 'agent.name', 'feedback'];

const own = z.object({
  project_id: uuid,
  submission_id: uuid,
  preview_token: z.string().max(MAX_TOKEN_LENGTH).optional().meta({
    description: 'preview.token of the first call. Without it, the call chooses nothing and returns a preview',
  }),
});

const output = z.object({
  chosen: z.boolean().meta({ description: 'False: this is a preview, and nothing was chosen' }),
  preview: z
    .object({
      token: z.string().meta({ description: 'Send it as preview_token with the same arguments to choose this entry' }),
      entry,
      unscored_entries: z.int().meta({ description: 'Confirmed entries without a score' }),
      winner_receives_micro: project.shape.winner_receives_micro,
    })
    .nullable()
    .meta({ description: 'What the choice would do; null once it is made' }),
  project: project.nullable().meta({ description: 'The project after the choice; null in a preview' }),
});
type Result = z.output<typeof output>;
type Choice = { projectId: string; submissionId: string };

/** Chooses the winner in two steps, because the choice is final and moves the prize. */
export const chooseWinnerTool = defineTool({
  name: 'choose_winner',
  title: 'Choose the winner',
  description:
    'Chooses the winner of a brief in judging. It is final and pays the prize, so it takes two calls. The first one returns a preview of the entry and a token. The second one, with the token as preview_token, chooses.',
  roles: ['poster'],
  operations: [chooseWinner],
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  own,
  output,
  strangers: STRANGERS_IN_ENTRY.map((path) => `preview.entry.${path}`),
  async run(call, _given, { project_id: projectId, submission_id: submissionId, preview_token: token }) {
    const choice = { projectId, submissionId };
    if (token === undefined) return await preview(call, choice);
    if (!isToken(call, choice, token))
      throw validationError([
        { field: 'preview_token', message: 'not the token of a preview of this entry; call without it first' },
      ]);
    const chosen = await call.perform(chooseWinner, {
      params: { project_id: projectId },
      body: { submission_id: submissionId },
    });
    return { chosen: true, preview: null, project: chosen.project };
  },
});

async function preview(call: ToolCall, choice: Choice): Promise<Result> {
  const params = { project_id: choice.projectId };
  const { project: brief } = await call.perform(getOwnProject, { params });
  const { submissions, counts } = await call.perform(listEntries, {
    params,
    query: { submission_id: choice.submissionId },
  });
  const [shown] = submissions;
  if (!shown) throw new DomainError('SUBMISSION_NOT_FOUND', 'This brief has no confirmed entry with this id.');
  if (brief.status !== 'judging')
    throw new DomainError(
      'PROJECT_STATE_CONFLICT',
      `A winner can be chosen during judging. This brief is ${brief.status}.`,
    );
  return {
    chosen: false,
    preview: {
      token: sealOf(call).seal(textOf(choice)).toString('base64url'),
      entry: shown,
      unscored_entries: counts.unscored,
      winner_receives_micro: brief.winner_receives_micro,
    },
    project: null,
  };
}

/**
 * Tells whether the holder of a token saw a preview of this choice. Only this service makes such tokens: the texts of entries
 * are strangers', and one could ask a model to choose its entry at once.
 */
function isToken(call: ToolCall, choice: Choice, token: string): boolean {
  try {
    return sealOf(call).open(Buffer.from(token, 'base64url')) === textOf(choice);
  } catch {
    return false;
  }
}

function sealOf({ caller, deps }: ToolCall) {
  return deps.answerSeals.of('the preview of a choice', caller.kind === 'poster' ? caller.posterId : '');
}

const textOf = ({ projectId, submissionId }: Choice): string => `${projectId} ${submissionId}`;
