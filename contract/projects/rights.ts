import { z } from 'zod';

/** The licenses under which a project can buy its winning entry. The texts are in docs/licences/. */
export const licence = z.enum(['assignment', 'exclusive', 'CC-BY-4.0', 'CC0-1.0']).meta({
  id: 'Licence',
  description:
    'What the winner grants when the prize is settled. `assignment`: all rights go to the poster. `exclusive`: the winner keeps its rights, and only the poster may use the work. `CC-BY-4.0`, `CC0-1.0`: Creative Commons. `GET /licences` has the texts',
});
export type LicenceId = z.infer<typeof licence>;

/** Which entries the public sees after completion. */
export const gallery = z.enum(['public', 'winner_only', 'private']).meta({
  id: 'GalleryVisibility',
  description: 'Which entries everyone sees after completion: all of them, the winner only, or none',
});

export type Gallery = z.infer<typeof gallery>;

const hash = z.string().meta({ description: '`sha256:` and 64 hex digits' });

/** The fields of every view of a single project that say what was agreed. */
export const agreedFields = {
  licence,
  gallery,
  terms_version: z.int().nullable().meta({
    description: 'The current version of the terms. Null for drafts',
  }),
  terms_hash: hash.nullable().meta({ description: 'The hash of that version: `sha256:` and 64 hex digits' }),
};
