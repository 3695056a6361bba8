// npm run test:upgrade -- [COMMIT] [--requests=20000] [--rate=50]
// A rolling upgrade under load, from the last release (or COMMIT) to the working tree. Then the journeys of that version
// run on the expanded schema.
// Needs S3_TEST_ENDPOINT (scripts/ceph.sh starts one); POSTGRES_TEST_URL replaces the embedded server.
import { parseArgs } from 'node:util';
import { testServer } from '../support/test-database.ts';
import { earlierJourneys } from './earlier-journeys.ts';
import { rollingUpgrade } from './rolling-upgrade.ts';
import { commitOf, versionBefore } from './versions.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { requests: { type: 'string', default: '20000' }, rate: { type: 'string', default: '50' } },
});
const from = positionals[0] === undefined ? await versionBefore() : await commitOf(positionals[0]);
const s3Endpoint = process.env['S3_TEST_ENDPOINT'];
if (from === null) throw new Error('this clone has no history: fetch it, or name a commit');
if (!s3Endpoint) throw new Error('S3_TEST_ENDPOINT is not set: `bash scripts/ceph.sh start FOLDER` prints one');
const given = process.env['POSTGRES_TEST_URL'];
const server = given ? null : await testServer();
try {
  const report = await rollingUpgrade({
    from,
    requests: Number(values.requests),
    perSecond: Number(values.rate),
    postgresUrl: given ?? server?.url ?? '',
    s3Endpoint,
    say: (line) => console.log(line),
  });
  const { failed, ...others } = report;
  console.log(JSON.stringify({ from, ...others, failed: failed.length, examples: failed.slice(0, 5) }, null, 2));
  const refused = /newer one/.test(report.refusal ?? '') === report.mustRefuse;
  const isWhole = report.paidWhileReplacing > 0 && report.contracted.length > 0;
  if (failed.length > 0 || report.lost > 0 || !isWhole || !refused) process.exitCode = 1;
  console.log(
    `${failed.length} of ${report.sent} requests failed; ${report.paid} payments, ${report.paidWhileReplacing} of them while processes were replaced`,
  );
  const journeys = await earlierJourneys(from, ['test/journeys/']);
  console.log(`journeys of the version before, after ${journeys.migrated.join(', ')}:\n${journeys.output}`);
  if (journeys.failed) process.exitCode = 1;
} finally {
  await server?.stop();
}
