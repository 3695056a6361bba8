import type { Api, ApiData, Route } from '../../api/public.ts';
import { usdc } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import { Postponed } from '../../signed-in/public.ts';

export type Approval = ApiData<'GET /operator/approvals'>['approvals'][number];

const PATH_OF_APPROVALS = '/operator/approvals';

/**
 * Returns a client whose calls throw `Postponed` if the act waits for another operator (202). The answer is then an
 * approval and not the data of the route, so no caller can mistake it for the act.
 */
export function withApprovals(api: Api): Api {
  return {
    async call(route, input) {
      const data = await api.call(route, input);
      const approval = approvalIn(route, data);
      if (approval) throw new Postponed(operator.approvals.waits({ amount: usdc(approval.amount_micro) }));
      return data;
    },
  };
}

function approvalIn(route: Route, data: unknown): Approval | null {
  if (route.includes(PATH_OF_APPROVALS) || typeof data !== 'object' || data === null) return null;
  if (!('approval' in data)) return null;
  return data.approval as Approval;
}
