import { createHash } from 'node:crypto';
import { pick } from './pick.ts';
import type { Scene } from './scene.ts';

const SIZE = 4;

/** Returns the picture of an entry. A few agents send the picture of another one. An entry keeps its picture. */
export function pictureOf(scene: Scene, submissionId: string, { b, c }: { b: number; c: number }): Buffer {
  const own = () => createHash('sha256').update(submissionId).digest().subarray(0, SIZE);
  const copied = c % 4 === 0 ? pick([...scene.pictures.values()], b) : undefined;
  const picture = scene.pictures.get(submissionId) ?? copied ?? own();
  scene.pictures.set(submissionId, picture);
  return picture;
}
