import type { Context } from '../deps.ts';
import type { OperatorActs } from '../ports/operators.ts';
import type { Route } from '../serve.ts';

/** Returns the acts that can wait for a second operator. `depsOf` is called when one runs. */
export function actsOf(
  routes: readonly Route[],
  depsOf: () => Omit<Context, 'caller' | 'requestId' | 'remoteAddress'>,
): OperatorActs {
  return new Map(
    routes
      .filter(({ spec }) => spec.approval)
      .map(({ spec, run }) => [
        spec.id,
        async (request, input) => {
          const { data } = await run({ ...depsOf(), ...request }, { ...input, payment: null });
          return spec.output.parse(data);
        },
      ]),
  );
}
