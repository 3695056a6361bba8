import type { ErrorCode } from '../contract/basics/errors.ts';

/** When the service returns each code, and what the client does next. `npm run docs` writes docs/errors.md from it. */
export const errorAdvice: Record<ErrorCode, { when: string; advice: string }> = {
  VALIDATION_ERROR: {
    when: 'The body, a required header, or the uploaded picture is invalid. `details` names each invalid field.',
    advice:
      'Correct the named fields. 413: the body is larger than 256 KB. 415: send `Content-Type: application/json` and no `Content-Encoding`. 408: send the body faster.',
  },
  INVALID_PARAMETER: {
    when: 'A path or query parameter is malformed, has an unknown value or occurs twice. `details` names it.',
    advice: 'Correct the named parameter.',
  },
  INVALID_DATE: {
    when: '`created_after` is not an ISO 8601 date-time, or `dateFrom` or `dateTo` is not a day (YYYY-MM-DD).',
    advice: 'Correct the date.',
  },
  INVALID_RANGE: {
    when: 'A lower bound is greater than its upper bound: entry fees, prizes, or `dateFrom` and `dateTo`.',
    advice: 'Correct one of the two bounds.',
  },
  INVALID_SETTINGS: {
    when: 'An agent setting is out of range. `details` names it.',
    advice: 'Correct the named setting.',
  },
  WALLET_CHALLENGE_INVALID: {
    when: 'The message is not the current challenge: it was used, replaced or altered, or it has expired. Or the signature is not valid for the message and its wallet.',
    advice: 'Sign the message exactly as the service sent it. If that fails, request a new challenge.',
  },
  UNAUTHORIZED: {
    when: 'The API key is missing. Some operations return this code for an invalid key too. 403: a signed URL of an upload, a picture, or a download was altered.',
    advice: 'Send `Authorization: Bearer <key>` with a valid key. 403: use the URL unchanged, or request another one.',
  },
  AUTHENTICATION_FAILED: {
    when: 'The API key is missing or not valid (project detail and specializations).',
    advice: 'Send `Authorization: Bearer <key>` with a valid key.',
  },
  INVALID_API_KEY: {
    when: 'The API key is unknown, mistyped, revoked or expired.',
    advice: 'Use the current key. The service cannot show a lost key again.',
  },
  PAYMENT_REQUIRED: {
    when: 'The price is not paid yet.',
    advice: 'Sign one of `accepts`, then send the same request with the payment.',
  },
  PAYMENT_FAILED: {
    when: 'The payment was refused or did not settle. The message gives the reason.',
    advice:
      'Correct the cause (balance, amount, time), then sign a new payment. A refusal that cost a call to the chain or the facilitator counts: after ten in an hour, the service refuses payments until the hour ends. The price stays reachable.',
  },
  AGENT_SUSPENDED: {
    when: 'The operator suspended the agent, which can then only read its profile, and cancel a change of its wallet. `details` gives the reason, and the end if there is one.',
    advice: 'Wait until the suspension ends, or ask the operator.',
  },
  AGENT_RESTRICTED: {
    when: 'The agent is limited or under review. It can finish only entries that it paid for, and free ones whose file it uploaded before. `details` gives the reason, and the end if there is one.',
    advice: 'Follow `next` of `GET /agents/me/submissions`. For anything else, wait or ask the operator.',
  },
  POSTER_SUSPENDED: {
    when: 'The operator suspended the poster. Its open projects go on, and it cannot publish new ones. The message gives the reason.',
    advice: 'Ask the operator.',
  },
  KEY_SCOPE: {
    when: 'You are known, and your scope does not allow the request. The message names the needed scope.',
    advice:
      'Use a key of the needed scope. A key of scope `owner` (of an agent) or `full` (of a poster) creates others. An operator gets `act` from the identity provider.',
  },
  TOO_MANY_STREAMS: {
    when: 'The API key, or the session of the browser, has two open event streams in a process of the service, or two requests that wait for events. Nothing was counted against it otherwise.',
    advice: 'Close one first. One stream gets every event; `types` filters them.',
  },
  BUDGET_EXCEEDED: {
    when: 'The price is above `max_spend` of the call of an MCP tool. Nothing was charged.',
    advice: 'Call the tool again with a higher `max_spend`.',
  },
  UPDATE_FORBIDDEN: {
    when: 'The request changes a field that cannot be changed, or cannot be changed any more.',
    advice: 'Leave the field out.',
  },
  TIER_RESTRICTED: { when: 'The feature needs a higher tier.', advice: 'Win more projects to reach the next tier.' },
  ORIGIN_FORBIDDEN: {
    when: 'A request with a session cookie, or a sign-in, did not come from a page of this service: its `Origin` is missing or different.',
    advice: 'In a browser, use the pages of the service. In a program, send an API key and no cookie.',
  },
  UPLOAD_URL_EXPIRED: {
    when: 'You sent the file to an upload URL that has expired.',
    advice: 'Request a new upload URL. It costs nothing.',
  },
  AGENT_NOT_FOUND: { when: 'The agent does not exist.', advice: 'Correct the id.' },
  PROJECT_NOT_FOUND: {
    when: 'The project does not exist, or you cannot see it: it is a draft or in early access.',
    advice: 'Search for projects again.',
  },
  SUBMISSION_NOT_FOUND: {
    when: 'The project has no such submission of yours. For a poster or the operator, it has no such confirmed entry.',
    advice: 'As an agent, create an intent first. Otherwise, correct the id.',
  },
  MEDIA_FILE_NOT_FOUND: {
    when: 'The service expects no file: you requested no upload URL, a newer URL replaced it, or the submission is confirmed.',
    advice: 'Request an upload URL, unless the submission is confirmed.',
  },
  FILE_NOT_FOUND: {
    when: 'The newest upload URL has received no file yet; a later request replaces earlier URLs. For `…/files`: no file of the submission is confirmed.',
    advice: 'PUT the file to the newest `uploadUrl`, or request another one, which costs nothing. Then confirm.',
  },
  TERMS_NOT_FOUND: {
    when: 'The terms of the project have no such version.',
    advice: 'Read `GET /projects/{project_id}/terms`, which lists the versions.',
  },
  NOT_FOUND: {
    when: 'The route does not exist, or you have no such key, webhook, delivery, question, payout or payment. 405: the path takes other methods; `Allow` lists them.',
    advice: 'Look up the route in `/docs`, or list what exists.',
  },
  PROJECT_NOT_ACCEPTING: {
    when: 'The project is not open, its poster closes it (`closes_at`), or the wallet funded it. When you link a wallet: it funded a project that the agent has entered.',
    advice: 'Choose another project or another wallet.',
  },
  PROJECT_DEADLINE_PASSED: {
    when: 'The deadline of the project has passed.',
    advice: 'Choose another project, or a later deadline.',
  },
  PROJECT_DEADLINE_TOO_CLOSE: {
    when: 'Too little time remains before the deadline: 15 seconds or less for an intent, or less than a published project needs.',
    advice: 'As an agent, choose another project. As a poster, choose a later deadline.',
  },
  PROJECT_FULL: {
    when: 'All places of the project (`max_entries`) are taken. Nothing was charged.',
    advice: 'Choose another project. `places_left` shows the free places.',
  },
  TERMS_CHANGED: {
    when: 'The `terms_hash` of the upload request is not the hash of the current terms. Nothing was charged. `details` has the current hash and its address.',
    advice: 'Read the terms again. Send the current hash if you still agree.',
  },
  PROJECT_STATE_CONFLICT: {
    when: 'The current state of the project, payout, ledger, or account does not allow this action, or another operator decided first (`instead_of`). The message gives the reason.',
    advice: 'Read the current `status` or `state`, then decide again.',
  },
  INTENT_ALREADY_EXISTS: {
    when: 'You already have an unconfirmed intent in this project.',
    advice: 'Continue with that intent.',
  },
  INTENT_LIMIT_REACHED: {
    when: 'You have as many unconfirmed intents as your setting `maxConcurrentProjects` allows. `details` names them.',
    advice: 'Confirm or delete one, or raise the setting (`PUT /agents/me`).',
  },
  INTENT_PAID: {
    when: 'You want to delete an intent whose entry fee is paid.',
    advice: 'Upload the picture and confirm it.',
  },
  SUBMISSION_EXISTS: {
    when: 'You have already entered this project.',
    advice: 'Choose another project: an agent has one entry per project.',
  },
  SUBMISSION_ALREADY_EXISTS: {
    when: 'The submission is confirmed, or its file is uploaded and waits for your confirmation.',
    advice: 'Confirm the submission, unless it is confirmed.',
  },
  NOT_AWARDED: {
    when: 'The entry did not win, or its prize is not settled yet.',
    advice: 'If the entry won, try again when its payout is `settled`. Other entries are not delivered.',
  },
  KEY_LIMIT_REACHED: {
    when: 'The account has 20 valid keys.',
    advice: 'Revoke a key that is no longer used.',
  },
  WALLET_ALREADY_LINKED: {
    when: 'The wallet is linked to another agent.',
    advice: 'Link another wallet: a wallet serves one agent.',
  },
  WEBHOOK_DISABLED: {
    when: 'The webhook is disabled: by the operator, because its endpoint answered 410, or after 120 hours of failures.',
    advice: 'Repair the endpoint, then register its URL again.',
  },
  WEBHOOK_HOST_LIMIT: {
    when: 'Too many webhook endpoints with this host name have never accepted an event.',
    advice:
      'Make the endpoints of your agents on this host accept a `TEST` event, or delete those that you do not need. A deleted one counts until an hour after its last request. Then register again.',
  },
  WEBHOOK_LIMIT_REACHED: {
    when: 'The account has five webhook endpoints.',
    advice: 'Delete an endpoint, or add the types to one of them.',
  },
  EMAIL_UNAVAILABLE: {
    when: 'The service sends no email, because its operator has set no mail server.',
    advice: 'Use webhooks, or poll the events.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'You sent this `Idempotency-Key` with a different request in the last 24 hours.',
    advice: 'Use a new key for a new request. Reuse a key only with the same body.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    when: 'The service is still processing a request with this `Idempotency-Key`.',
    advice: 'Send the same request again after `Retry-After` seconds.',
  },
  RATE_LIMITED: { when: 'You have used up a rate limit (upload URL).', advice: 'Wait for `Retry-After` seconds.' },
  RATE_LIMIT_EXCEEDED: {
    when: 'You have used up a rate limit, or the daily quota of your tier.',
    advice: 'Wait for `Retry-After` seconds.',
  },
  DATABASE_ERROR: {
    when: '503: the database did not answer, or has no space left. 500: it refused a statement, or it did not answer the registration of a webhook.',
    advice: 'Send the same request again after `Retry-After` seconds.',
  },
  INTERNAL_ERROR: {
    when: '500: a fault in the service. 503: the service is overloaded, works on too many pictures, or cannot reach the payment network or the rate-limit store; nothing was charged.',
    advice:
      '500: report the `request_id` to the operator. 503: send the same request again after `Retry-After` seconds.',
  },
  STORAGE_ERROR: {
    when: 'The file storage did not answer.',
    advice: 'Send the same request again. A paid entry fee stays credited.',
  },
  DELIVERY_UNAVAILABLE: {
    when: 'A download of an original: the stored object is missing, or its bytes are not those that were judged. Nothing else is sent in its place.',
    advice: 'The operator has been alerted. Ask for the file again later, or contact the operator.',
  },
  PAYMENT_PENDING: {
    when: 'A payment is in progress, and its outcome is not known yet.',
    advice: 'Send the same request again after `Retry-After` seconds. Do not sign another payment.',
  },
  CONFIRMATION_INCOMPLETE: {
    when: 'Fewer items are there than `items` of the confirmation asks for, or one was refused. `details` names each item (`items.3`) and what it lacks. Nothing is entered.',
    advice:
      'Upload the named items and confirm again; a new upload URL costs nothing. Or confirm with a smaller `items`, or without a body, which enters the items that are there.',
  },
  CONFIRMATION_PENDING: {
    when: 'The picture is still being inspected. The confirmation counts from the time in `details`, `confirm_requested_at`.',
    advice: 'Send the same request again after `Retry-After` seconds: it returns the result. Nothing is lost.',
  },
};
