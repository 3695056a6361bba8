// The bodies of webhooks. `wire.test.ts` compares them with the contract.

import type { AgentEvent, PosterEvent } from './events.ts';

type EventBase = { timestamp: string; signature: string };
/** An event of the log, as an endpoint gets it. `test`: a sample with invented data, which a test sent. */
type Delivered<E extends AgentEvent | PosterEvent> = E extends unknown
  ? EventBase & { event: E['type']; id: string; test?: true | undefined; data: E['data'] }
  : never;
/** An event of a webhook. */
export type WebhookEvent =
  | Delivered<AgentEvent>
  | Delivered<PosterEvent>
  | (EventBase & { event: 'TEST'; id: string; data: { webhook_id: string; message: string } })
  | (EventBase & {
      event: 'PROJECT.OPEN' | 'TEST';
      data: {
        project: {
          id: string;
          title: string;
          description: string;
          requirements: string;
          prize_amount_micro: number;
          entry_fee_micro: number;
          auto_select_deadline: string;
          max_entries: number | null;
          places_left: number | null;
          created_at: string;
        };
      };
    })
  | (EventBase & {
      event: 'WALLET.CHANGE';
      data: {
        wallet: {
          agent_id: string;
          status: 'pending' | 'changed' | 'cancelled' | 'lost';
          address: string;
          effective_at: string;
        };
      };
    });
