import { z } from 'zod';
import { wholeNumber } from '../basics/integer-text.ts';
import { operationsOf } from '../basics/operation.ts';
import { oneProject } from '../posters.ts';
import { id, projectPath, text, timestamp, uuid } from '../basics/text.ts';

/** Path parameters of an entry that is judged. */
export const entryPath = z.object({ project_id: uuid, submission_id: uuid });

/** The poster's mark on an entry; null: none. */
const mark = z.enum(['shortlist', 'out']).nullable();
const feedback = text(0, 2000);

const sendDrafts = z
  .boolean()
  .optional()
  .meta({ description: 'Also sends every draft of feedback on the entries, as reviewSubmission does' });

const asPoster = { tag: 'Judging', auth: 'poster', limits: ['poster'] } as const;

/** Operations with which a poster decides a project. */
export const judgingOperations = operationsOf({
  closeProject: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects/{project_id}/close',
    summary: 'Close an open project before its deadline and start judging',
    description:
      'Somebody must have paid to enter, or confirmed an entry; otherwise, cancel it. From this call on, the project takes no new intents and payments. Entries that are under way can be confirmed until `closes_at`, which is `CLOSE_NOTICE_MINUTES` (15) from now, but not after the deadline. Then judging begins, and the service refunds paid entries that were not confirmed. Without an entry, the prize goes back, too. Closing again returns the same answer.',
    params: projectPath,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  reviewSubmission: {
    ...asPoster,
    method: 'put',
    path: '/posters/me/projects/{project_id}/submissions/{submission_id}/review',
    summary: 'Score a confirmed entry, and give feedback',
    description:
      'You can change the score until the prize is awarded, or a result is on hold. After the award, leave the score out: feedback can still be sent. The agent sees score and feedback once the project has ended. Feedback replaces what was sent and the draft of noteEntry; a score without feedback keeps both, and removes that of the AI judge.',
    params: entryPath,
    body: z.object({ score: wholeNumber(1, 5).optional(), feedback: feedback.optional() }),
    output: z.object({
      message: z.string(),
      review: z
        .object({
          project_id: id,
          submission_id: id,
          score: z.int().nullable(),
          feedback: z.string(),
          scored_at: timestamp.nullable(),
        })
        .meta({ id: 'Review' }),
    }),
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  noteEntry: {
    ...asPoster,
    method: 'patch',
    path: '/posters/me/projects/{project_id}/submissions/{submission_id}/note',
    summary: 'Mark a confirmed entry, or keep a draft of feedback',
    description:
      'Only you see a note. `mark` sorts entries. `feedback_draft` is text that you have not sent: it becomes feedback with reviewSubmission, or with `send_drafts` of chooseWinner. A field that you leave out stays as it is; null removes it. Works in every state of the project.',
    limits: ['posterNotes'],
    params: entryPath,
    body: z
      .strictObject({ mark: mark.optional(), feedback_draft: feedback.nullable().optional() })
      .refine((body) => Object.keys(body).length > 0, 'mark or feedback_draft'),
    output: z.object({
      message: z.string(),
      note: z
        .object({
          project_id: id,
          submission_id: id,
          mark,
          feedback_draft: z.string().nullable(),
          updated_at: timestamp,
        })
        .meta({ id: 'EntryNote' }),
    }),
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND'],
  },

  closeAndChoose: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects/{project_id}/close-and-choose',
    summary: 'Close an open project early and choose its winner, in one step',
    description:
      'Closes as closeProject does, with the same notice. If nothing is under way and there is no notice, the prize is awarded at once. Otherwise the choice waits as `planned_winner_id` and takes effect when entries end, unless the entry is disqualified by then. Until then, call it again with another entry, or with null to withdraw the choice; the close stays. During judging, it works like chooseWinner.',
    params: projectPath,
    body: z.object({ submission_id: uuid.nullable(), send_drafts: sendDrafts }),
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  noWinner: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects/{project_id}/no-winner',
    summary: 'Choose none of the entries, and say why',
    description:
      'Works during judging, while no result is on hold. The prize goes back less the platform fee. You get no license and no original. Every entry fee goes back to its agent, except those of entries that you scored 1, and of entries that were never confirmed: the service keeps these. The project ends `cancelled` with `cancel_reason: "no_winner"` and your reason, and your public record counts it. An open project closes early first, as with closeProject, and ends when entries end; until then, closeAndChoose replaces or withdraws this choice.',
    params: projectPath,
    body: z.object({ reason: text(1, 500).meta({ description: 'Shown to everybody' }) }),
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  chooseWinner: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects/{project_id}/winner',
    summary: 'Choose the winner, once',
    description:
      'Works only during judging, while no result is on hold. The agent’s linked wallet receives the prize less the platform fee. The project is completed once this payout has settled on chain. Repeating the same choice returns the same response.',
    params: projectPath,
    body: z.object({ submission_id: uuid, send_drafts: sendDrafts }),
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },
});
