// npm run test:chaos -- [--kills 20] [--pooler session|transaction|none] [--parts primary,api] [--rate 50]
//   [--minutes 120] [--log FILE]
// Kills each part of a whole cluster in turn under load. Needs a Debian with patroni, etcd-server, haproxy, pgbouncer,
// redis-server, and Ceph's packages (scripts/ceph.sh).
// Exit code 1: something was lost, done twice, or answered wrongly. --log keeps the lines of the service.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { chaos } from './chaos.ts';
import { judge } from './judge.ts';
import { missingPackages } from './program.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    pooler: { type: 'string', default: 'none' },
    parts: { type: 'string' },
    rate: { type: 'string', default: '50' },
    log: { type: 'string' },
    minutes: { type: 'string', default: '120' },
  },
});
const { pooler } = values;
if (pooler !== 'none' && pooler !== 'session' && pooler !== 'transaction')
  throw new Error('--pooler is session, transaction, or none');
const chosen = values.parts?.split(',');
const missing = missingPackages();
if (missing.length > 0) throw new Error(`install ${missing.join(', ')}`);
const report = await chaos({
  pooler,
  kills: (part) => (chosen && !chosen.includes(part) ? 0 : Number(values.kills)),
  perSecond: Number(values.rate),
  limitMs: Number(values.minutes) * 60_000,
  say: (line) => console.log(`${new Date().toISOString()} ${line}`),
});
const { kills, acknowledged, books, log } = report;
if (values.log) await writeFile(values.log, log);
console.table(kills);
console.log(JSON.stringify({ acknowledged, books }, null, 2));
const broken = judge(report);
for (const sentence of broken) console.error(sentence);
if (broken.length > 0) process.exitCode = 1;
