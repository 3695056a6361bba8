// npm run test:chaos -- [--kills 20] [--pooler session|transaction|none] [--parts primary,api] [--rate 50]
//   [--minutes 120] [--log FILE]
// Kills each part of a whole cluster in turn under load. Needs a Debian with patroni, etcd-server, haproxy, pgbouncer,
// redis-server, and Ceph's packages (scripts/ceph.sh).
// Exit code 1: something was lost, done twice, or answered wrongly. Exit code 2: only a bound of time was passed.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { chaos } from './chaos.ts';
import { judge, judgeTimes } from './judge.ts';
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
const { figures, refused, faults, books, notable, log, ...others } = report;
if (values.log) {
  await writeFile(values.log, notable.map((each) => `${JSON.stringify(each)}\n`).join(''));
  await writeFile(`${values.log}.service`, log);
}
console.table(
  figures.map((own) => ({
    part: own.part,
    kills: own.kills,
    requests: own.requests,
    refused: own.refused,
    pending: own.pending,
    broken: own.broken,
    'longest refusal': `${own.longestRefusalMs} ms`,
    'slowest answer': `${own.slowestMs} ms, ${own.slowest}`,
    'longest payment': `${own.longestPaymentMs} ms, ${own.longestPayment}`,
    'failed reads': own.failedReads,
  })),
);
const { lost, overcharged, wrongPayouts } = books;
console.log(
  `lost: ${lost.length}; charged twice or wrongly: ${overcharged.length}; paid twice or not: ${wrongPayouts.length}`,
);
console.log(JSON.stringify({ ...others, books, refused: refused.length, faults: faults.length }, null, 2));
const broken = judge(report);
const late = judgeTimes(report);
for (const sentence of [...broken, ...late]) console.error(sentence);
if (late.length > 0) process.exitCode = 2;
if (broken.length > 0) process.exitCode = 1;
