import { Button } from '@mantine/core';
import type { ApiData, ApiInput, Route } from '../../api/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { operatorStore } from './operator-store.ts';

/** An act with its button. `of` names the button for screen readers, if its label is not enough. */
export type Act = Action & { label?: string; of?: string };
/** Opens the dialog of an act. */
export type Ask = (action: Action) => void;

type ActButtonsProps = { acts: readonly Act[]; ask: Ask; size?: 'xs' | 'sm' };

export function ActButtons({ acts, ask, size = 'xs' }: ActButtonsProps) {
  return acts.map((act) => (
    <Button key={act.confirm} variant="default" size={size} aria-label={act.of} onClick={() => ask(act)}>
      {act.label ?? act.confirm}
    </Button>
  ));
}

/** The routes that take a reason and answer with a message. */
type ReasonedRoute = {
  [R in Route]: ApiInput<R> extends { body: { reason: string } }
    ? ApiData<R> extends { message: string }
      ? R
      : never
    : never;
}[Route];
type ParamsOf<R extends Route> = ApiInput<R> extends { params: infer Params } ? Params : undefined;
type BodyOf<R extends ReasonedRoute> = ApiInput<R> extends { body: infer Body } ? Omit<Body, 'reason'> : never;

/** Returns the function that performs an act with a reason. `more` returns the rest of the body. */
export function withReason<R extends ReasonedRoute>(
  route: R,
  params: ParamsOf<R>,
  more?: (fields: FormData) => BodyOf<R>,
) {
  return async (reason: string, fields: FormData): Promise<string> => {
    const input = { params, body: { ...more?.(fields), reason } } as unknown as ApiInput<R>;
    return ((await operatorStore.api.call(route, input)) as { message: string }).message;
  };
}
