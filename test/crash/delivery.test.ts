import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { download, type Originals } from '../support/files/delivery.ts';
import { expectStatus, openProject, testPicture } from '../support/clients/journey.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while it gives access to an original. No access is without its record, and another process
// serves the URLs of the one that died.

const ground = await prepareWorld();
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };
const project = await openProject(market, { entryFeeUsdc: 0 });
const picture = await testPicture(7);
const agent = await enter(market, project, { picture });

const files = (): Promise<Answer> =>
  call(url, 'GET', `/agents/me/submissions/${agent.submissionId}/files`, { key: agent.key });
const fileUrl = async () => (expectStatus(await files(), 200).body.data as Originals).files[0]!.url;

async function records(action: string): Promise<number> {
  const [row] = await ground.db<{ count: number }[]>`
    select count(*) as count from audit_trail
    where action = ${action} and subject = ${`submission:${agent.submissionId}`}`;
  return row!.count;
}

const restart = async () => {
  service = await ground.start(Number(new URL(url).port));
};

describe('access to an original after a crash', () => {
  for (const { point, recorded } of [
    { point: 'before the commit', recorded: 0 },
    { point: 'after the commit', recorded: 1 },
  ] as const) {
    it(`gave out no URL if the crash was ${point} of its record`, async () => {
      const before = await records('original.grant');
      await service.crashAt(point, 1, 'insert into audit_trail');
      await untilKilled(service, files);
      assert.equal(await records('original.grant'), before + recorded);
      await restart();
      assert.ok((await download(await fileUrl())).bytes.equals(picture));
    });

    it(`sent no byte if the crash was ${point} of the record of a download`, async () => {
      const target = await fileUrl();
      const before = await records('original.download');
      await service.crashAt(point, 1, 'insert into audit_trail');
      await assert.rejects(download(target));
      assert.equal(await service.running.ended, 'SIGKILL');
      assert.equal(await records('original.download'), before + recorded);
      await restart();
      assert.ok((await download(target)).bytes.equals(picture), 'another process serves the same URL');
      assert.equal(await records('original.download'), before + recorded + 1);
    });
  }
});
