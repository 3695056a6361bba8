import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { operatorStore } from '../area/public.ts';

const text = operator.deliveries;

/** The action that disables a webhook. `url` names the webhook in the dialog. */
export function disableAction({ id, url }: { id: string; url: string }): Action {
  return {
    title: text.disableTitle,
    text: text.disableText({ url }),
    confirm: text.disable,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/webhooks/{webhook_id}/disable';
      return (await operatorStore.api.call(path, { params: { webhook_id: id }, body: { reason } })).message;
    },
  };
}
