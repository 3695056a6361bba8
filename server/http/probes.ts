import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { operatorOperations } from '../../contract/operator/operator.ts';
import type { Deps } from '../deps.ts';
import { VERSION } from '../version.ts';
import { plainHeaders } from './answers/responses.ts';
import type { Authenticate } from './auth/auth.ts';
import { createReadiness, type Probes } from './metrics/health.ts';
import { type Metrics, METRICS_TYPE } from './metrics/metrics.ts';

type Env = { Bindings: HttpBindings };

export type ProbeParts = {
  deps: Deps;
  metrics: Metrics;
  /** Asks every part outside of the process. */
  probes: () => Promise<Probes>;
  /** Accepts METRICS_TOKEN, or the operator's key while that is not set. */
  authenticate: Authenticate;
  readAddress: (socketAddress: string, forwarded: string | undefined) => string;
  isDraining?: (() => boolean) | undefined;
};

/** Mounts the probes of load balancers and monitoring, the metrics, and the version of the code. */
export function mountProbes(
  app: Hono<Env>,
  { deps, probes, isDraining, authenticate, readAddress, metrics }: ProbeParts,
): void {
  app.get('/version', (c) => c.json({ version: VERSION }, 200, plainHeaders));
  app.get('/healthz', async (c) => {
    if (c.req.query('deep') === undefined) return c.json({ status: 'ok' }, 200, plainHeaders);
    const asked = await probes();
    const parts = Object.fromEntries(Object.entries(asked).map(([part, { up }]) => [part, up]));
    const isWell = Object.values(parts).every((up) => up);
    return c.json({ status: isWell ? 'ok' : 'degraded', parts }, isWell ? 200 : 503, plainHeaders);
  });
  const readiness = createReadiness(deps);
  app.get('/readyz', async (c) => {
    const state = await readiness();
    const isReady = state.ready && !isDraining?.();
    return c.json({ ...state, ready: isReady }, isReady ? 200 : 503, plainHeaders);
  });
  app.get('/metrics', async (c) => {
    const address = readAddress(c.env.incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'));
    const { config } = deps;
    // A development start without a token takes no key, because only this machine reaches it.
    if (!config.development || config.metricsToken)
      await authenticate(operatorOperations.getLedger, c.req.raw.headers, address, []);
    return c.body(await metrics.text(), 200, { ...plainHeaders, 'Content-Type': METRICS_TYPE });
  });
}
