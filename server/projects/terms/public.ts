// projects/terms/ offers the terms of a project: freezing and revising them, reading them, and requiring those that a
// client names. The rest is private.

export { freezeTerms, reviseTerms } from './freeze-terms.ts';
export { licenceUrl } from './licences.ts';
export { agreedRules, allowsAiJudge, currentRules } from './market-rules.ts';
export { type Opening, readTerms } from './project-terms.ts';
export { requireStatedTerms, termsUrl } from './stated-terms.ts';
export { currentTermsColumn, findLatestTerms } from './terms-queries.ts';
