import { createHash } from 'node:crypto';
import type { AiClient, ModelAnswer } from '../../server/judging/types.ts';
import type { Process } from './outside.ts';

/** How the model answers about a picture: a score from 1 to 5, or nothing usable. */
export function judgedScore(picture: Uint8Array): number | null {
  const draw = createHash('sha256').update('judge').update(picture).digest().readUInt32BE();
  return draw % 6 === 0 ? null : 1 + (draw % 5);
}

/** Judges entries by their pictures alone, and knows nothing about briefs. It fails as a real endpoint does. */
export function createJudgeModel({ call }: Pick<Process, 'call'>): AiClient {
  return {
    async ask({ pictures }): Promise<ModelAnswer> {
      const unavailable = { kind: 'unavailable', problem: 'model', tokens: 0 } as const;
      const [picture] = pictures;
      if (!picture) return unavailable;
      const given = async (): Promise<ModelAnswer> => {
        const score = judgedScore(picture.bytes);
        if (score === null) return { kind: 'wrong', problem: 'model', tokens: 10 };
        return { kind: 'answer', verdict: { score, reason: 'By its picture.' }, tokens: 10 };
      };
      return await call('ask', given, () => new Error('model')).catch(() => unavailable);
    },
  };
}
