import type { World } from './deps.ts';
import { createAnswerSeals } from './idempotency/public.ts';
import { derivedKey } from './sealing.ts';
import { createMailTokens } from './mail/public.ts';
import { createMediaUrls, createOriginalUrls } from './pictures/public.ts';
import type { AnswerSeals } from './idempotency/types.ts';
import { createWebhookSecrets } from './webhooks/public.ts';

type Derived = 'mediaUrls' | 'originalUrls' | 'webhookSecrets' | 'paymentSeals' | 'answerSeals' | 'mailTokens';
type Given = Pick<World, 'publicUrl' | 'clock' | 'randomBytes'>;
type Parts = Pick<World, Derived>;

/**
 * Creates the parts that sign and seal. Each kind has its own key, derived from SECRETS_KEY. Signatures
 * and seals under one of the `accepted` SECRETS_KEYs stay valid, so that the key can change while the service runs.
 */
export function derivedParts(secretsKey: string, accepted: readonly string[], given: Given): Parts {
  const [current, others] = [partsOf(secretsKey, given), accepted.map((key) => partsOf(key, given))];
  const all = [current, ...others];
  return {
    mediaUrls: { ...current.mediaUrls, verify: (url) => firstOf(all, ({ mediaUrls }) => mediaUrls.verify(url)) },
    originalUrls: {
      ...current.originalUrls,
      verify: (url) => firstOf(all, ({ originalUrls }) => originalUrls.verify(url)),
    },
    webhookSecrets: {
      ...current.webhookSecrets,
      open: (id, sealed) => firstOf(all, ({ webhookSecrets }) => webhookSecrets.open(id, sealed)),
    },
    paymentSeals: overlapping(all.map(({ paymentSeals }) => paymentSeals)),
    answerSeals: overlapping(all.map(({ answerSeals }) => answerSeals)),
    mailTokens: {
      ...current.mailTokens,
      verification: (mailId) => [
        ...current.mailTokens.verification(mailId),
        ...others.flatMap(({ mailTokens }) => mailTokens.verification(mailId)),
      ],
      readUnsubscribe: (token) =>
        all.map(({ mailTokens }) => mailTokens.readUnsubscribe(token)).find((read) => read !== null) ?? null,
    },
  };
}

function partsOf(secretsKey: string, { publicUrl, clock, randomBytes }: Given): Parts {
  const keyOf = (purpose: string) => derivedKey(secretsKey, purpose);
  const urls = (purpose: string) => ({ publicUrl, signingKey: keyOf(purpose), clock });
  const seals = (purpose: string) => ({ key: keyOf(purpose), randomBytes });
  return {
    mediaUrls: createMediaUrls(urls('media URLs')),
    originalUrls: createOriginalUrls(urls('original URLs')),
    webhookSecrets: createWebhookSecrets(seals('webhook secrets')),
    paymentSeals: createAnswerSeals(seals('payment signatures')),
    answerSeals: createAnswerSeals(seals('idempotent answers')),
    mailTokens: createMailTokens({ key: keyOf('links in emails') }),
  };
}

/** Seals with the first, and opens what any of them sealed. */
function overlapping(all: AnswerSeals[]): AnswerSeals {
  return {
    of(scope, idempotencyKey) {
      const seals = all.map((each) => each.of(scope, idempotencyKey));
      const [current] = seals;
      if (!current) throw new Error('there is no key to seal with');
      return { ...current, open: (sealed) => firstOf(seals, (seal) => seal.open(sealed)) };
    },
  };
}

/** Returns the first result. @throws the error of the first part, if none has a result */
function firstOf<Part, T>(parts: Part[], work: (part: Part) => T): T {
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      return work(part);
    } catch (error) {
      errors.push(error);
    }
  }
  throw errors[0];
}
