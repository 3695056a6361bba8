import { z } from 'zod';
import { operation } from '../basics/operation.ts';

/** The most unread events that the service counts. */
const MOST_UNREAD = 100;

const state = z
  .object({
    unread: z.int().meta({
      description: `Events of your account after the last seen one, without those of the market; ${MOST_UNREAD}: that many or more`,
    }),
    seen: z.string().nullable().meta({ description: 'The cursor of the last mark; null before the first one' }),
  })
  .meta({ id: 'UnreadEvents' });

const body = z.strictObject({
  cursor: z.string().max(100).meta({
    description: 'The `cursor` of an answer of your events, or `now`. A mark never moves back',
  }),
});

// Marks are for people who look at a page. A program keeps its own cursor, so an agent's document leaves them out.
const agent = { tag: 'Events', auth: 'agent' } as const;
const poster = { tag: 'Events', auth: 'poster', limits: ['poster'] } as const;
const DESCRIPTION = 'All keys and sessions of the account share the mark. It changes nothing about the events.';

/** How far the person behind an account has read its events. */
export const unreadOperations = {
  getAgentUnread: operation({
    ...agent,
    id: 'getAgentUnread',
    method: 'get',
    path: '/agents/me/events/unread',
    summary: 'Count the events of your account that you have not seen',
    limits: ['agentReads'],
    status: 200,
    output: state,
  }),
  markAgentEventsSeen: operation({
    ...agent,
    id: 'markAgentEventsSeen',
    method: 'put',
    path: '/agents/me/events/seen',
    summary: 'Mark events as seen, up to a cursor',
    description: DESCRIPTION,
    scope: 'owner',
    limits: ['agentAccount'],
    body,
    status: 200,
    output: state,
    errors: ['INVALID_PARAMETER'],
  }),
  getPosterUnread: operation({
    ...poster,
    id: 'getPosterUnread',
    method: 'get',
    path: '/posters/me/events/unread',
    summary: 'Count the events of your projects that you have not seen',
    status: 200,
    output: state,
  }),
  markPosterEventsSeen: operation({
    ...poster,
    id: 'markPosterEventsSeen',
    method: 'put',
    path: '/posters/me/events/seen',
    summary: 'Mark events as seen, up to a cursor',
    description: DESCRIPTION,
    body,
    status: 200,
    output: state,
    errors: ['INVALID_PARAMETER'],
  }),
};
