import { type ApiData, ApiError, type ApiInput } from '../../api/public.ts';
import { posterApi } from '../account/poster-session.ts';

const REVIEW = 'PUT /posters/me/projects/{project_id}/submissions/{submission_id}/review';
const NOTE = 'PATCH /posters/me/projects/{project_id}/submissions/{submission_id}/note';

export const ENTRIES = 'GET /posters/me/projects/{project_id}/submissions';
export type Entry = ApiData<typeof ENTRIES>['submissions'][number];
export type Review = ApiInput<typeof REVIEW>['body'];
export type Note = Partial<Pick<Entry, 'mark' | 'feedback_draft'>>;

/** Path parameters of an entry. */
type Path = { project_id: string; submission_id: string };

const ATTEMPTS = 3;

export async function sendReview(params: Path, body: Review): Promise<void> {
  await patiently(() => posterApi.call(REVIEW, { params, body }));
}

export async function sendNote(params: Path, body: Note): Promise<void> {
  await patiently(() => posterApi.call(NOTE, { params, body }));
}

/** Waits after a 429: judging by keyboard is faster than the rate limit. */
async function patiently(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send();
      return;
    } catch (error) {
      const isLimit = error instanceof ApiError && error.status === 429;
      if (!isLimit || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 1) * 1000));
    }
  }
}

/** Whether the service would refuse the request again, so that retrying is of no use. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 409, 422].includes(error.status);
}
