import type { World } from './deps.ts';
import { createAnswerSeals } from './idempotency/public.ts';
import { derivedKey } from './keys/public.ts';
import { createMailTokens } from './mail/letters/public.ts';
import { createMediaUrls, createOriginalUrls } from './pictures/public.ts';
import { createWebhookSecrets } from './webhooks/delivery/public.ts';

type Derived = 'mediaUrls' | 'originalUrls' | 'webhookSecrets' | 'paymentSeals' | 'answerSeals' | 'mailTokens';
type Given = Pick<World, 'publicUrl' | 'clock' | 'randomBytes'>;

/** Creates the parts that sign and seal. Each kind has its own key, derived from SECRETS_KEY. */
export function derivedParts(secretsKey: string, { publicUrl, clock, randomBytes }: Given): Pick<World, Derived> {
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
