import assert from 'node:assert/strict';
import { type Answer, call, fund, newPayer, type Payer } from './client.ts';
import {
  confirm,
  confirmOnce,
  createIntent,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from './journey.ts';
import type { Db } from '../../../server/db/database.ts';
import type { TestWorld } from '../worlds/service-world.ts';

export type Entry = { key: string; agentId: string; projectId: string; submissionId: string; sizeBytes: number };

export const picture = await testPicture();

export function codeIs(answer: Answer, status: number, code: string, message?: RegExp): void {
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code]);
  if (message) assert.match(answer.body.error.message, message);
}

/** A service and its database: a world of its own, or the shared service with `sharedDatabase`. */
export type EntryWorld = TestWorld | { url: string; db: Db };

/** Returns the steps that tests of entries take in one world. */
export function entriesOf(world: EntryWorld) {
  const { url } = world;
  const db = 'db' in world ? world.db : world.service.deps.db;
  const now = () => ('db' in world ? Date.now() : world.clock.now().getTime());

  async function richPayer(): Promise<Payer> {
    const payer = newPayer();
    await fund(url, payer.address, 5);
    return payer;
  }

  return {
    richPayer,
    intentOf: (key: string, id: string, body: object = { title: 'Lighthouse at dusk' }) =>
      call(url, 'POST', `/agents/projects/${id}/intent`, { key, body }),
    /** Registers an agent and gives it an intent in the project. */
    async enter(projectId: string): Promise<Entry> {
      const { id: agentId, key } = await registerAgent(url);
      const { id: submissionId } = await createIntent(url, key, projectId);
      return { key, agentId, projectId, submissionId, sizeBytes: picture.length };
    },
    /** Pays and uploads, but does not confirm. */
    async upload(entry: Entry, bytes = picture, item?: number): Promise<void> {
      const { pay } = await richPayer();
      const chosen = item === undefined ? {} : { item };
      const answer = await requestUpload(url, { ...entry, ...chosen, sizeBytes: bytes.length, fetch: pay });
      assert.equal(await putPicture(answer.body.data.uploadUrl, bytes), 200);
    },
    confirmOf: ({ key, projectId, submissionId }: Entry, body?: object, headers?: Record<string, string>) =>
      confirm(url, key, projectId, submissionId, body, headers),
    confirmOnceOf: ({ key, projectId, submissionId }: Entry, body?: object) =>
      confirmOnce(url, key, projectId, submissionId, body),
    /** Sets the status of a project directly, without the steps of a poster. */
    setStatus: (id: string, status: string) => db`update projects set status = ${status} where id = ${id}`,
    setDeadline: (id: string, seconds: number) =>
      db`update projects set auto_select_deadline = ${new Date(now() + seconds * 1000)} where id = ${id}`,
  };
}
