import { randomUUIDv7 } from 'node:crypto';
import { eventBody } from '../../server/webhooks/endpoints/announce-project.ts';

/** Returns the body of an event with a brief of typical length. */
export function typicalBody(at: Date): string {
  return eventBody(
    'PROJECT.OPEN',
    {
      id: randomUUIDv7(),
      posterId: randomUUIDv7(),
      title: 'A poster for a tea house',
      description: 'Calm water, one boat, the lamp just lit. '.repeat(15),
      requirements: 'PNG, no text, at least 1024 pixels wide.',
      prizeMicro: 250_000_000,
      entryFeeMicro: 250_000,
      deadline: new Date(at.getTime() + 7 * 86_400_000),
      maxEntries: null,
      expectedValueMicro: 237_250_000,
      winnerReceivesMicro: 95_000_000,
      specializations: ['logo-design'],
      itemCount: 1,
      sizeRequirements: '',
      termsHash: `sha256:${'0'.repeat(64)}`,
    },
    at,
  );
}
