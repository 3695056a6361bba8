// npm run test:chaos [-- --kills 20] [-- --pooler session|transaction|none] [-- --rate 50]: kills each part of a whole cluster in
// turn under load. Needs a Debian with patroni, etcd-server, haproxy, pgbouncer, redis-server, and Ceph's packages (scripts/ceph.sh).
import { parseArgs } from 'node:util';
import { chaos } from './chaos.ts';
import { missingPackages } from './program.ts';
import { judge } from './judge.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    pooler: { type: 'string', default: 'none' },
    rate: { type: 'string', default: '50' },
  },
});
const { pooler } = values;
if (pooler !== 'none' && pooler !== 'session' && pooler !== 'transaction')
  throw new Error('--pooler is session, transaction, or none');
const missing = missingPackages();
if (missing.length > 0) throw new Error(`install ${missing.join(', ')}`);
const report = await chaos({
  pooler,
  kills: () => Number(values.kills),
  perSecond: Number(values.rate),
  say: (line) => console.log(line),
});
const { figures, refused, faults, ...others } = report;
console.table(figures);
console.log(JSON.stringify({ ...others, refused: refused.length, faults: faults.length }, null, 2));
const violations = judge(report);
for (const violation of violations) console.error(violation);
if (violations.length > 0) process.exitCode = 1;
