import { createPool } from '../../../server/db/pool.ts';
import { createBroadcastQueue } from '../../../server/x402/broadcast-queue.ts';
import { joinLane } from '../../../server/x402/signer-lane.ts';

// Takes the lane of a facilitator key behind a pooler, and keeps it: its node never answers the broadcast. A test kills
// it. Arguments: the address of the pooler, the key's address, and whether to prepare statements.

const [url = '', address = '', prepare] = process.argv.slice(2);
const db = createPool({ url, connections: 2, prepare: prepare === 'true' });
const queue = createBroadcastQueue<null, null>({ next: () => new Set([0]), windowMs: 0 });
joinLane<null, null>({
  db,
  address,
  holder: 'killed',
  pooled: true,
  queue,
  readNonce: async () => 0,
  broadcast: async () => {
    console.log('holds the lane');
    // Keeps the process alive, too.
    return await new Promise<never>(() => setInterval(() => {}, 60_000));
  },
});
await queue.run(null);
