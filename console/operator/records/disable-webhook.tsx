import type { Action } from '../../signed-in/use-action.tsx';
import { keyed } from '../../messages/signed-in.ts';
import { operator } from '../../messages/operator.ts';
import { operatorStore } from '../area/operator-store.ts';

const text = operator.deliveries;

/** `url` names it to who confirms. */
export function disableAction({ id, url }: { id: string; url: string }): Action {
  return {
    title: text.disableTitle,
    text: text.disableText(url),
    confirm: text.disable,
    destructive: true,
    reason: keyed.reason,
    run: async (reason) => {
      const path = 'POST /operator/webhooks/{webhook_id}/disable';
      return (await operatorStore.api.call(path, { params: { webhook_id: id }, body: { reason } })).message;
    },
  };
}
