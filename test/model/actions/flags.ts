import { createHash } from 'node:crypto';
import { changeFlag } from '../../../server/entries/originality/public.ts';
import { pick, prefer } from '../pick.ts';
import { type Action, callers, perform, type Scene } from '../scene.ts';

const SIZE = 4;

/** Returns the picture of an entry. A few agents send the picture of another one. An entry keeps its picture. */
export function pictureOf(scene: Scene, submissionId: string, { b, c }: { b: number; c: number }): Buffer {
  const own = () => createHash('sha256').update(submissionId).digest().subarray(0, SIZE);
  const copied = c % 4 === 0 ? pick([...scene.pictures.values()], b) : undefined;
  const picture = scene.pictures.get(submissionId) ?? copied ?? own();
  scene.pictures.set(submissionId, picture);
  return picture;
}

/** The operator decides a flag of two entries that are alike. */
export const decideFlagAction: Action = (scene, how) => {
  const flag = prefer(scene.now.flags, ({ decision }) => decision === null, how.a);
  if (!flag) return undefined;
  const decision = how.b % 2 === 0 ? ('upheld' as const) : ('dismissed' as const);
  return perform(scene, how, {
    label: `flag ${flag.id} is ${decision}`,
    run: (on) =>
      changeFlag(callers(scene).operator(on), {
        params: { flag_id: flag.id },
        body: { decision, reason: 'Looked at' },
      }),
  });
};
