import { ConcoursError } from './errors.ts';
import { type FileSource, type Picture, readPicture } from './files.ts';
import { provePayer } from './link-wallet.ts';
import { microOf, type Usdc } from './money.ts';
import { callPaid, type Payer, requireAffordable } from './payment.ts';
import { pause, type Request, type Service } from './service.ts';
import { uploadTo } from './upload.ts';
import type { Quote, Submission } from './wire.ts';

/** The next step of an entry. Every step can come again, after an answer was lost. */
export type EntryStep =
  | { step: 'reserved'; submission_id: string }
  | { step: 'paying'; amount_micro: number }
  | { step: 'uploading' | 'uploaded'; item: number }
  | { step: 'confirming' }
  /** The service cannot answer yet: the same request follows after this pause. */
  | { step: 'waiting'; code: string; seconds: number }
  | { step: 'done' };

export type EnterOptions = {
  /** 3 to 200 characters. An entry that exists keeps its title. */
  title?: string;
  /** At most 2,000 characters. */
  description?: string;
  /** The picture. Without it, `enter` only confirms what is uploaded already. */
  file?: FileSource;
  /** The pictures of a project with several items, in the order of the items. */
  files?: FileSource[];
  /** The highest entry fee that may be paid, in USDC. Default: 0, which enters free projects only. */
  maxFee?: Usdc;
  /** The terms that you agree to. Default: those that apply when `enter` begins. */
  termsHash?: string;
  /** Your own IP address, which the service records with a payment. */
  ip?: string;
  signal?: AbortSignal;
  onProgress?: (step: EntryStep) => void;
};

type Entry = { service: Service; payer: Payer; projectId: string; options: EnterOptions };
/** `proof`: the wallet that has paid is proven meanwhile, so that the entry does not wait for it. */
type Context = Entry & { proof: Promise<void> };

/** Another process with the same key took this step at the same time, or an upload got lost: the state decides. */
const MOVED = new Set([
  'INTENT_ALREADY_EXISTS',
  'SUBMISSION_EXISTS',
  'SUBMISSION_ALREADY_EXISTS',
  'MEDIA_FILE_NOT_FOUND',
  'FILE_NOT_FOUND',
  'CONFIRMATION_INCOMPLETE',
  'UPLOAD_FAILED',
]);
const MOST_ROUNDS = 8;
const ROUND_PAUSE_MS = 400;
const PROOF_MS = 10_000;

/**
 * Enters a project: reserves, pays, uploads, and confirms. It reads what is done already and does the rest, so it is safe
 * to repeat, also in a new process that has only the key and the wallet.
 */
export async function enter(entry: Entry): Promise<Submission> {
  const context: Context = { ...entry, proof: Promise.resolve() };
  try {
    return await finish(context);
  } finally {
    await proofOf(context);
  }
}

/** Waits for the proof of the wallet, but not for a person who does not sign. */
async function proofOf({ proof, options: { signal } }: Context): Promise<void> {
  const over = new AbortController();
  const limit = pause(PROOF_MS, AbortSignal.any([over.signal, signal ?? over.signal]));
  await Promise.race([proof, limit]).catch(() => {});
  over.abort();
}

async function finish(context: Context): Promise<Submission> {
  const { options } = context;
  const maxMicro = microOf(options.maxFee ?? 0, 'maxFee');
  const pictures = await readPictures(options);
  // The items that this call has uploaded: if one of them is refused, the same bytes would be refused again.
  const sent = new Set<number>();
  for (let round = 1; ; round += 1) {
    try {
      const { submission, termsHash } = await reserve(context, maxMicro, pictures);
      if (submission.status === 'submitted') {
        options.onProgress?.({ step: 'done' });
        return submission;
      }
      options.onProgress?.({ step: 'reserved', submission_id: submission.id });
      await upload(context, submission, { pictures, maxMicro, termsHash, sent });
      await confirm(context, submission, pictures.length);
      // The next round reads the result.
    } catch (error) {
      if (!(error instanceof ConcoursError) || !MOVED.has(error.code) || round >= MOST_ROUNDS) throw error;
      await pause(Math.random() * ROUND_PAUSE_MS * round, options.signal);
    }
  }
}

async function readPictures({ file, files }: EnterOptions): Promise<Picture[]> {
  if (file !== undefined && files !== undefined)
    throw new ConcoursError('FILE_INVALID', 'Pass either `file` or `files`. Nothing was paid.');
  const sources = files ?? (file === undefined ? [] : [file]);
  return await Promise.all(sources.map((source, index) => readPicture(source, index + 1)));
}

function requestOf({ options: { signal, onProgress } }: Context): Request {
  const onWait: Request['onWait'] = ({ code }, seconds) => onProgress?.({ step: 'waiting', code, seconds });
  return { signal, onWait };
}

/** Finds the agent's submission in the project, or creates an intent. */
async function reserve(
  context: Context,
  maxMicro: number,
  pictures: Picture[],
): Promise<{ submission: Submission; termsHash: string }> {
  const { service, projectId, options } = context;
  const path = `/agents/projects/${encodeURIComponent(projectId)}`;
  const quote = await service.call<Quote>('GET', `${path}/quote`, requestOf(context));
  const termsHash = options.termsHash ?? quote.terms_hash;
  if (quote.submission_id !== null)
    return { submission: await readSubmission(context, quote.submission_id), termsHash };
  requirePossible(quote, pictures);
  requireAffordable({ amountMicro: quote.entry_fee_micro, maxMicro });
  const { title, description } = options;
  const body = { title: title ?? '', ...(description === undefined ? {} : { description }) };
  type Intent = { submission: { id: string } };
  const { submission } = await service.call<Intent>('POST', `${path}/intent`, { ...requestOf(context), body });
  return { submission: await readSubmission(context, submission.id), termsHash };
}

async function readSubmission(context: Context, id: string): Promise<Submission> {
  type Answer = { submission: Submission };
  const path = `/agents/me/submissions/${id}`;
  return (await context.service.call<Answer>('GET', path, requestOf(context))).submission;
}

/** @throws ConcoursError with the code of the request that the service would refuse */
function requirePossible({ reasons: [reason], limits }: Quote, pictures: Picture[]): void {
  if (reason) {
    const { code, message, details, retry_after_seconds: retryAfter } = reason;
    throw new ConcoursError(code, message, { details, retryAfter });
  }
  requirePictures(pictures.length, limits.item_count);
}

/** @throws ConcoursError FILE_INVALID */
function requirePictures(count: number, most: number): void {
  if (count === 0) throw new ConcoursError('FILE_INVALID', 'Pass the picture as `file`.');
  if (count > most) throw new ConcoursError('FILE_INVALID', `The project takes ${most} pictures, not ${count}.`);
}

type Upload = { pictures: Picture[]; maxMicro: number; termsHash: string; sent: Set<number> };

/** Uploads the pictures of the items that have none yet. The first request pays the fee, once for the whole entry. */
async function upload(
  context: Context,
  submission: Submission,
  { pictures, maxMicro, termsHash, sent }: Upload,
): Promise<void> {
  const isUploaded = submission.files.some(({ state }) => state === 'uploaded');
  if (!isUploaded || pictures.length > 0) requirePictures(pictures.length, submission.item_count);
  if (submission.payment === 'none') requireAffordable({ amountMicro: submission.entry_fee_micro, maxMicro });
  for (const [index, picture] of pictures.entries()) {
    const item = index + 1;
    const file = submission.files.find((each) => each.item === item);
    if (file?.state === 'uploaded' || file?.state === 'confirmed') continue;
    if (file?.state === 'refused' && sent.has(item))
      throw new ConcoursError('FILE_INVALID', `The service refused picture ${item}: ${file.refused_reason}`);
    const url = await requestUpload(context, submission, { picture, item, maxMicro, termsHash });
    context.options.onProgress?.({ step: 'uploading', item });
    await uploadTo(context.service, url, picture, requestOf(context));
    sent.add(item);
    context.options.onProgress?.({ step: 'uploaded', item });
  }
}

type UploadRequest = { picture: Picture; item: number; maxMicro: number; termsHash: string };

async function requestUpload(
  context: Context,
  { id, project_id: projectId, entry_fee_micro: amountMicro }: Submission,
  { picture, item, maxMicro, termsHash }: UploadRequest,
): Promise<string> {
  const { service, options } = context;
  const body = {
    fileName: picture.name,
    fileType: picture.type,
    fileSize: picture.bytes.length,
    item,
    terms_hash: termsHash,
  };
  const headers = { 'x-forwarded-for': options.ip ?? '127.0.0.1' };
  let isPaying = false;
  const { uploadUrl } = await callPaid<{ uploadUrl: string }>(
    service,
    `/agents/projects/${projectId}/submissions/${id}`,
    {
      price: { subjectId: id, amountMicro, maxMicro },
      payer: {
        ...context.payer,
        onSign: (micro) => {
          isPaying = true;
          options.onProgress?.({ step: 'paying', amount_micro: micro });
        },
      },
      request: { ...requestOf(context), headers, body },
    },
  );
  if (isPaying) context.proof = provePayer(service, context.payer.wallet, { signal: options.signal });
  return uploadUrl;
}

/** With pictures, confirms only if all of them are there: nothing can be added afterwards. */
async function confirm(context: Context, { id, project_id: projectId }: Submission, items: number): Promise<void> {
  context.options.onProgress?.({ step: 'confirming' });
  await context.service.call('POST', `/agents/projects/${projectId}/submissions/${id}/confirm`, {
    ...requestOf(context),
    ...(items === 0 ? {} : { body: { items } }),
  });
}
