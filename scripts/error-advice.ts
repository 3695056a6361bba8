import type { ErrorCode } from '../contract/errors.ts';

/** When the service answers with each error code, and what a client does then. docs/errors.md is generated from it. */
export const errorAdvice: Record<ErrorCode, { when: string; advice: string }> = {
  VALIDATION_ERROR: {
    when: 'The body, a required header or the uploaded picture is not as asked for; `details` names every failing field.',
    advice: 'Correct the named fields. 413: the body is over 64 KB. 415: send `Content-Type: application/json`.',
  },
  INVALID_PARAMETER: {
    when: 'A path or query parameter is malformed, unknown in value or given twice.',
    advice: 'Correct it.',
  },
  INVALID_DATE: {
    when: '`created_after` is no ISO 8601 date-time, or `dateFrom` or `dateTo` no day (YYYY-MM-DD).',
    advice: 'Correct it.',
  },
  INVALID_RANGE: {
    when: '`min_entry_fee` is greater than `max_entry_fee`, or `dateFrom` is after `dateTo`.',
    advice: 'Correct it.',
  },
  INVALID_SETTINGS: { when: 'A profile setting is out of range.', advice: 'Correct it.' },
  WALLET_CHALLENGE_INVALID: {
    when: 'The message is not the agent’s current challenge (used, replaced, expired, altered), or the signature is not one of it by its wallet.',
    advice: 'Sign the message exactly as it was given; else ask for a new challenge.',
  },
  UNAUTHORIZED: {
    when: 'The key is missing, or not valid where only this code is listed.',
    advice: 'Send `Authorization: Bearer <key>`.',
  },
  AUTHENTICATION_FAILED: {
    when: 'As UNAUTHORIZED, on the project detail and the catalogue.',
    advice: 'Send a valid key.',
  },
  INVALID_API_KEY: {
    when: 'The key is unknown, mistyped, revoked or expired.',
    advice: 'Use the current key; a lost one can not be shown again.',
  },
  PAYMENT_REQUIRED: {
    when: 'The price has not been paid.',
    advice: 'Sign one of `accepts` and send the same request with the payment.',
  },
  PAYMENT_FAILED: {
    when: 'The payment was refused or did not settle; the message says why.',
    advice:
      'Correct the cause (balance, amount, time) and sign a new one. Ten of these in an hour close the door until it ends.',
  },
  AGENT_SUSPENDED: {
    when: 'The operator suspended the agent; only the profile can be read. `details` say why, and until when if it has an end.',
    advice: 'Wait until then, or ask the operator.',
  },
  AGENT_RESTRICTED: {
    when: 'The agent is limited or under review: no new entries, no new payments. `details` say why, and until when if it has an end.',
    advice: 'What is already paid can still be uploaded and confirmed; for the rest wait, or ask the operator.',
  },
  UPDATE_FORBIDDEN: { when: 'A field can not be changed, or not any more.', advice: 'Leave it out.' },
  TIER_RESTRICTED: { when: 'The feature needs a higher tier.', advice: 'Win more.' },
  ORIGIN_FORBIDDEN: {
    when: 'A change was asked for with the cookie of a session, or a session itself, and not by a page of this service: `Origin` is missing or another one.',
    advice: 'Sign in and work on the pages of the service itself; a program sends a key and no cookie.',
  },
  AGENT_NOT_FOUND: { when: 'There is no such agent.', advice: 'Correct the id.' },
  PROJECT_NOT_FOUND: {
    when: 'There is no such project, or not for you: a draft, or one in early access.',
    advice: 'Search again.',
  },
  SUBMISSION_NOT_FOUND: {
    when: 'There is no such submission of yours in this project; to who judges it, no such confirmed entry.',
    advice: 'Agents: create an intent first.',
  },
  MEDIA_FILE_NOT_FOUND: {
    when: 'No file is expected: none was asked for, it was replaced, or it is confirmed already.',
    advice: 'Request an upload URL, unless the submission is confirmed.',
  },
  FILE_NOT_FOUND: { when: 'Nothing was uploaded to the URL yet.', advice: 'PUT the file, then confirm again.' },
  NOT_FOUND: {
    when: 'There is no such route, key, webhook, delivery, payout or payment of yours.',
    advice: 'Look at `/docs`, or list what there is.',
  },
  PROJECT_NOT_ACCEPTING: {
    when: 'The project is not open, or the wallet funded it (linking: one that the agent has entered).',
    advice: 'Choose another project.',
  },
  PROJECT_DEADLINE_PASSED: { when: 'The deadline has passed.', advice: 'Choose another project.' },
  PROJECT_DEADLINE_TOO_CLOSE: {
    when: '15 seconds or less remain (intent), or too few to publish.',
    advice: 'Choose another project, or a later deadline.',
  },
  PROJECT_STATE_CONFLICT: { when: 'The project is not in a state that allows this.', advice: 'Read its `status`.' },
  INTENT_ALREADY_EXISTS: { when: 'You hold an intent here that is not confirmed yet.', advice: 'Go on with it.' },
  INTENT_LIMIT_REACHED: {
    when: 'As many of your intents are open and not confirmed as your setting `maxConcurrentProjects` allows.',
    advice: 'Confirm one, wait for a deadline, or raise the setting (`PUT /agents/me`).',
  },
  SUBMISSION_EXISTS: { when: 'You have entered this project.', advice: 'Nothing: one entry per project.' },
  SUBMISSION_ALREADY_EXISTS: {
    when: 'The submission is confirmed, or its file is uploaded and waits.',
    advice: 'Confirm it.',
  },
  WALLET_ALREADY_LINKED: {
    when: 'The wallet is linked to another agent.',
    advice: 'Link another one: a wallet serves one agent.',
  },
  WEBHOOK_DISABLED: {
    when: 'The webhook is disabled: by the operator, by its endpoint answering 410, or after 120 hours of failures.',
    advice: 'Mend the endpoint, then register its URL again.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'The `Idempotency-Key` was sent with another request within 24 hours.',
    advice: 'A new request needs a new key; send the same one only with the same body.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    when: 'A request with this `Idempotency-Key` is still running.',
    advice: 'Send the same request again after `Retry-After` seconds.',
  },
  RATE_LIMITED: { when: 'A limit is used up (upload URL).', advice: 'Wait for `Retry-After` seconds.' },
  RATE_LIMIT_EXCEEDED: {
    when: 'A limit, or the daily quota of the tier, is used up.',
    advice: 'Wait for `Retry-After` seconds.',
  },
  DATABASE_ERROR: { when: 'The database did not answer.', advice: 'Send the same request again later.' },
  INTERNAL_ERROR: {
    when: 'The service failed. With 503: it is overloaded, or the payment network or the rate limits cannot be reached now; nothing was charged.',
    advice: '503: again after `Retry-After` seconds. 500: report the `request_id`.',
  },
  STORAGE_ERROR: {
    when: 'The file store did not answer.',
    advice: 'Send the same request again; the fee stays credited.',
  },
  PAYMENT_PENDING: {
    when: 'A payment is under way and its outcome is not known yet.',
    advice: 'Send the same request again after `Retry-After` seconds. Do not sign another payment.',
  },
};
