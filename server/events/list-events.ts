import { JsonText } from '../serve.ts';
import type { Context } from '../deps.ts';
import { parseAfter } from './cursor.ts';
import { eventJson } from './event-json.ts';
import { type EventPage, eventsAfter } from './events-after.ts';
import type { EventReader } from './streams.ts';

type Query = { after?: string | undefined; types?: string[] | undefined; limit: number; wait: number };

/** Returns a page of the caller's events. */
export async function listEvents(ctx: Context<EventReader>, { query }: { query: Query }): Promise<JsonText> {
  const { after, types = null, limit } = query;
  const page = await eventsAfter(ctx, { reader: ctx.caller, after: parseAfter(after), types, limit });
  return render(page);
}

function render({ events, cursor, hasMore, truncated }: EventPage): JsonText {
  const list = events.map(eventJson).join(',');
  return new JsonText(
    `{"events":[${list}],"cursor":${JSON.stringify(cursor)},"has_more":${hasMore},"truncated":${truncated}}`,
  );
}
