import type { Answer } from '../test/support/clients/client.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  putPicture,
  registerAgent,
  requestUpload,
} from '../test/support/clients/journey.ts';
import { draw, jpegOfScans } from '../test/support/test-pictures.ts';
import { timed, type Tools } from './measure.ts';
import { type Row, rowOfTimes } from './report.ts';

const ATTACKERS = 10;
const CONFIRMATIONS = 24;

/**
 * Measures how long an agent's confirmation takes, alone and while ten other agents confirm the slowest legal picture 24 times
 * each, all at once. Each attacker is new in each round, because an agent that has had its turn waits for the others.
 */
export async function measureConfirmations({ world, rounds }: Tools): Promise<Row[]> {
  const { url } = world.service;
  const projectId = world.openProjects.at(-1) ?? '';
  await world.db`update projects set entry_fee_micro = 0 where id = ${projectId}`;
  const slow = { picture: jpegOfScans(100), fileType: 'image/jpeg' };
  const usual = { picture: Buffer.from(await draw(3, 1024, 1024).png().toBuffer()), fileType: 'image/png' };

  /** Uploads a picture of a new agent, and returns what confirms it. */
  async function uploaded({ picture, fileType }: typeof usual): Promise<() => Promise<Answer>> {
    const { key } = await registerAgent(url);
    const { id: submissionId } = await createIntent(url, key, projectId);
    const entry = { key, projectId, submissionId, fileType, sizeBytes: picture.length };
    const { body } = expectStatus(await requestUpload(url, entry), 200);
    await putPicture(body.data.uploadUrl, picture, fileType);
    return () => confirm(url, key, projectId, submissionId);
  }

  // Starts the decoders.
  for (let first = 0; first < 2; first += 1) await (await uploaded(usual))();
  const [alone, attacked]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await uploaded(usual);
    alone.push(await timed(async () => expectStatus(await quiet(), 200)));
    const honest = await uploaded(usual);
    const attackers: (() => Promise<Answer>)[] = [];
    while (attackers.length < ATTACKERS) attackers.push(await uploaded(slow));
    const attack = attackers.flatMap((each) => Array.from({ length: CONFIRMATIONS }, () => each()));
    attacked.push(await timed(async () => expectStatus(await honest(), 200)));
    await Promise.all(attack);
  }
  return [
    rowOfTimes('a confirmation, alone', alone, 1_000),
    rowOfTimes(`a confirmation, while ${ATTACKERS} agents confirm the slowest legal picture`, attacked, 5_000),
  ];
}
