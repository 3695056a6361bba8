import assert from 'node:assert/strict';
import { it } from 'node:test';
import { earlierJourneys } from '../upgrade/earlier-journeys.ts';
import { rollingUpgrade } from '../upgrade/rolling-upgrade.ts';
import { versionBefore } from '../upgrade/versions.ts';

// The short form of `npm run test:upgrade`.
const REQUESTS = 400;
const PER_SECOND = 10;
const JOURNEYS = ['test/journeys/ends.test.ts', 'test/journeys/sets.test.ts'];

const postgresUrl = process.env['POSTGRES_TEST_URL'];
const s3Endpoint = process.env['S3_TEST_ENDPOINT'];
const from = await versionBefore();
const missing = [
  ...(postgresUrl ? [] : ['POSTGRES_TEST_URL']),
  ...(s3Endpoint ? [] : ['S3_TEST_ENDPOINT']),
  ...(from === null ? ['the history of the repository'] : []),
];
const skip = missing.length === 0 ? false : `needs ${missing.join(' and ')}`;

it(
  'a rolling upgrade under load fails no request, and the version before refuses the new schema',
  { skip },
  async (t) => {
    assert.ok(postgresUrl && s3Endpoint && from);
    const report = await rollingUpgrade({
      from,
      requests: REQUESTS,
      perSecond: PER_SECOND,
      postgresUrl,
      s3Endpoint,
      say: (line) => t.diagnostic(line),
    });
    assert.deepEqual(report.failed, []);
    assert.ok(report.sent >= REQUESTS && report.paidWhileReplacing > 0, JSON.stringify(report));
    assert.equal(report.lost, 0);
    assert.deepEqual(report.booksProblems, []);
    assert.ok(report.contracted.length > 0, 'a contract phase ran under load');
    assert.ok(report.mustRefuse);
    assert.match(report.refusal ?? 'it started', /newer one/);
  },
);

it(
  'the version before passes its own journeys on the expanded schema',
  { skip: from === null && 'needs the history' },
  async () => {
    assert.ok(from);
    const { failed, output } = await earlierJourneys(from, JOURNEYS);
    assert.ok(!failed, output);
    assert.match(output, /pass [1-9]/);
  },
);
