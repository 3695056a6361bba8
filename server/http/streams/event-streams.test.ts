import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it, mock } from 'node:test';
import type { StreamSink } from '../../serve.ts';
import { createEventStreams } from './event-streams.ts';

const SECOND_MS = 1_000;

it('a stream sends a heartbeat every 15 seconds, and asks for its right every so often', async () => {
  let now = 0;
  let asked = 0;
  let sink: StreamSink | undefined;
  let isAllowed = true;
  mock.timers.enable({ apis: ['setInterval'] });
  const streams = createEventStreams(() => now);
  after(() => mock.timers.reset());
  const server = createServer((_request, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    const start = (given: StreamSink) => {
      sink = given;
      return () => {};
    };
    const ask = async () => {
      asked += 1;
      return isAllowed ? SECOND_MS : null;
    };
    streams.send(outgoing, { truncated: false, start, cancel() {} }, { firstMs: 40 * SECOND_MS, ask });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const tickAt = (time: number) => {
    now = time;
    mock.timers.tick(SECOND_MS);
    // The reader has received the events before it.
    sink?.write(`: ${time}\n\n`);
  };
  for (const time of [14_999, 15_000, 29_999, 30_000, 39_999]) tickAt(time);
  assert.equal(asked, 0);
  isAllowed = false;
  tickAt(40_000);
  assert.equal(asked, 1);
  // The stream ends because the right has ended.
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith(':'));
  assert.deepEqual(lines, [
    ': 14999',
    ': heartbeat',
    ': 15000',
    ': 29999',
    ': heartbeat',
    ': 30000',
    ': 39999',
    ': 40000',
  ]);
  streams.stop();
});
