import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../../test/support/clients/client.ts';
import { makeCertificates } from '../../test/support/webhooks/certificates.ts';
import type { Progress, ReceiverReport } from '../webhooks/receiver-peer.ts';
import type { BenchWorld } from '../bench-world.ts';

// Each agent has one endpoint for an event of the market. The receivers are one process on this machine.

const STALLED_MS = 60_000;
/** In development, the sender takes each host for another network, with at most 8 deliveries at once. */
const HOSTS = 64;

export type Certificates = { settings: Record<string, string>; key: string; cert: string; remove(): Promise<void> };

/** Makes the certificates of the receivers, and the settings with which the service trusts them. */
export async function receiverCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-bench-'));
  const { ca, valid } = await makeCertificates(['127.0.0.1']);
  const file = join(folder, 'authority.pem');
  await writeFile(file, ca);
  const remove = () => rm(folder, { recursive: true, force: true });
  return { settings: { NODE_EXTRA_CA_CERTS: file }, ...valid, remove };
}

/** Gives each agent an endpoint. Returns how to send an event and when each endpoint received it. */
export async function endpointsOf(world: BenchWorld, { key, cert }: Certificates) {
  const receiver = world.startPeer('webhooks/receiver-peer.ts', { key, cert });
  const { port } = await receiver.ask<{ port: number }>({ kind: 'listen' });
  for (const [number, agent] of world.agents.entries()) {
    const url = `https://own-${number % HOSTS}.receivers.localhost:${port}/ok/${number}`;
    const body = { url, types: ['PROJECT.CLOSING'] };
    const made = await call(world.service.url, 'POST', '/agents/me/webhooks', { key: agent.key, body });
    if (made.status !== 201) throw new Error(`${made.status} ${JSON.stringify(made.body)}`);
  }
  const count = world.agents.length;
  return {
    expect: (eventId: string) => receiver.ask({ kind: 'expect', eventId, subscribers: count }),
    async arrivals(): Promise<number[]> {
      for (const end = performance.now() + STALLED_MS; performance.now() < end; await sleep(50)) {
        const { reached } = await receiver.ask<Progress>({ kind: 'progress' });
        if (reached === count) return [...(await receiver.ask<ReceiverReport>({ kind: 'report' })).at];
      }
      throw new Error('an event did not reach every endpoint within a minute');
    },
    stop: () => receiver.stop(),
  };
}
