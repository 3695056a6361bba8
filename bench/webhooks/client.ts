import { startReceivers } from '../../test/support/webhooks/receivers.ts';
import { startChild } from '../child.ts';
import { type Row, isMissed, tableOf } from '../report.ts';
import { interleaved, median, ratios } from '../statistics.ts';
import type { ClientAnswer, ClientKind, ClientQuestion, ClientSettings } from './client-peer.ts';

// Compares the requests per second of the service's client with a plain undici loop, to the same receivers in one run.

const ROUNDS = 5;
const NEW: ClientQuestion = { count: 1_000, width: 32, reused: false };
const REUSED: ClientQuestion = { count: 10_000, width: 32, reused: true };

type Compared = { rates: Record<string, number[]>; cpu: Record<string, number> };

/** Measures the clients in turn: each sends `question.count` requests while the others are idle. */
async function compare(kinds: ClientKind[], question: ClientQuestion, settings: Omit<ClientSettings, 'kind'>) {
  const children = kinds.map((kind) => ({ kind, child: startChild('webhooks/client-peer.ts', { ...settings, kind }) }));
  const cpu: Record<string, number[]> = {};
  const measurements = Object.fromEntries(
    children.map(({ kind, child }) => [
      kind,
      async () => {
        const answer = await child.ask<ClientAnswer>(question);
        if (answer.failed > 0) throw new Error(`${kind}: ${answer.failed} requests failed`);
        (cpu[kind] ??= []).push(answer.cpuMicros);
        return answer.perSecond;
      },
    ]),
  );
  try {
    const rates = await interleaved(ROUNDS, measurements);
    return { rates, cpu: Object.fromEntries(kinds.map((kind) => [kind, median(cpu[kind] ?? [])])) };
  } finally {
    for (const { child } of children) await child.stop();
  }
}

function row(what: string, { rates, cpu }: Compared, atLeast: number): Row {
  const medians = Object.keys(rates).map(
    (kind) => `${kind} ${Math.round(median(rates[kind] ?? []))}/s (${Math.round(cpu[kind] ?? NaN)} µs of CPU each)`,
  );
  const measured = ratios(rates['own'] ?? [], rates['bare'] ?? []);
  return { what, aim: { atLeast }, ratios: measured, absolute: medians.join(', ') };
}

export async function compareClients(): Promise<Row[]> {
  const receivers = await startReceivers();
  const settings = { ca: receivers.ca, ports: [receivers.ports.none] };
  try {
    const fresh = await compare(['own', 'bare', 'shared', 'handshake'], NEW, settings);
    const reused = await compare(['own', 'bare'], REUSED, settings);
    return [
      row('one request over a new TLS connection : a bare undici loop', fresh, 0.85),
      row('one request over an open connection : a bare undici loop', reused, 0.5),
    ];
  } finally {
    await receivers.stop();
  }
}

if (import.meta.main) {
  const rows = await compareClients();
  console.log(tableOf(rows));
  if (rows.some(isMissed)) process.exitCode = 1;
}
