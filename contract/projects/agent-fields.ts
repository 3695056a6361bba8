import { aiJudge } from './ends.ts';
import { posterRecord } from './poster-record.ts';
import { referenceFields } from './reference-pictures.ts';
import { projectTerms } from './terms.ts';

/** The fields that agents see of a single project, in addition to those that its poster sees. */
export const agentFields = {
  ai_judge: aiJudge,
  poster: posterRecord,
  ...referenceFields,
  terms: projectTerms.meta({ description: 'The current terms' }),
};
