import { useMemo } from 'react';
import { eventTypes } from '../../../contract/events/events.ts';
import { type Account, NotificationsPage } from '../../notifications/public.ts';
import { Notices } from '../../signed-in/public.ts';
import { Breadcrumb } from '../account/breadcrumb.tsx';
import { posterApi } from '../account/poster-session.ts';
import { SessionGate } from '../account/session-gate.tsx';

export function PosterNotificationsPage() {
  return (
    <SessionGate>{({ poster, scope }) => <OfPoster posterId={poster.id} mayChange={scope === 'full'} />}</SessionGate>
  );
}

function OfPoster({ posterId, mayChange }: { posterId: string; mayChange: boolean }) {
  return (
    <>
      <Notices />
      <NotificationsPage account={useAccount(posterId, mayChange)} above={<Breadcrumb />} />
    </>
  );
}

/** The requests of the signed-in poster. */
export function useAccount(posterId: string, mayChange: boolean): Account {
  return useMemo(() => accountOf(posterId, mayChange), [posterId, mayChange]);
}

function accountOf(posterId: string, mayChange: boolean): Account {
  const { call } = posterApi;
  const endpoint = (id: string) => ({ params: { webhook_id: id } });
  return {
    kind: 'poster',
    mayChange,
    readsContact: mayChange,
    owner: posterId,
    webhookTypes: eventTypes.poster,
    events: (after) => call('GET /posters/me/events', { query: { limit: 100, ...(after ? { after } : {}) } }),
    titles: async () => {
      const { projects } = await call('GET /posters/me/projects', { query: { limit: 50 } });
      return new Map(projects.map(({ id, title }) => [id, title]));
    },
    contact: () => call('GET /posters/me/contact', {}),
    saveContact: (address) => call('PUT /posters/me/contact', { body: { address } }),
    removeContact: () => call('DELETE /posters/me/contact', {}),
    endpoints: async () => (await call('GET /posters/me/webhooks', {})).webhooks,
    addEndpoint: (url, types) =>
      call('POST /posters/me/webhooks', {
        body: { url, types: eventTypes.poster.filter((type) => types.includes(type)) },
      }),
    changeEndpoint: (id, { url, types: chosen }) =>
      call('PATCH /posters/me/webhooks/{webhook_id}', {
        ...endpoint(id),
        body: {
          ...(url === undefined ? {} : { url }),
          ...(chosen ? { types: eventTypes.poster.filter((type) => chosen.includes(type)) } : {}),
        },
      }),
    removeEndpoint: (id) => call('DELETE /posters/me/webhooks/{webhook_id}', endpoint(id)),
    rotateSecret: (id) => call('POST /posters/me/webhooks/{webhook_id}/rotate', endpoint(id)),
    testEndpoint: (id) => call('POST /posters/me/webhooks/{webhook_id}/test', endpoint(id)),
    deliveries: async (id) =>
      (await call('GET /posters/me/webhooks/{webhook_id}/deliveries', { ...endpoint(id), query: { limit: 20 } }))
        .deliveries,
    replay: (id, deliveryId) =>
      call('POST /posters/me/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
        params: { webhook_id: id, delivery_id: deliveryId },
      }),
  };
}
