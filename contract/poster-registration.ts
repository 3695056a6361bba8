import { z } from 'zod';
import { shownTerms } from './agents/agents.ts';
import { operation } from './basics/operation.ts';
import { apiKey, id, text } from './basics/text.ts';

/** The registration of a poster. */
export const createPoster = operation({
  id: 'createPoster',
  method: 'post',
  path: '/posters/create',
  tag: 'Posters',
  summary: 'Register a poster',
  description: 'Only this response contains the API key: store it.',
  auth: 'public',
  idempotent: true,
  limits: ['registration'],
  body: z.object({
    poster_name: text(3, 100),
    email: z.email('an e-mail address').max(320).optional().meta({
      description:
        'Your contact address for emails about your projects. They start once its owner opens the link that the service sends, as with setPosterContact. The operator sees it.',
    }),
  }),
  status: 201,
  output: z.object({
    message: z.string(),
    posterId: id,
    apiKey,
    link_sent: z
      .boolean()
      .meta({ description: 'A link was sent to `email`. Without it, set the address with setPosterContact' }),
    ...shownTerms,
  }),
});
