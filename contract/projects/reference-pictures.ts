import { z } from 'zod';
import { id, timestamp } from '../basics/text.ts';

const picture = {
  id,
  width: z.int(),
  height: z.int(),
  // The hash of the file that the poster uploaded. The URLs show WebP copies of at most 1,024 and 400 px.
  sha256: z.string(),
  image_url: z.string(),
  thumbnail_url: z.string(),
  urls_expire_at: timestamp,
};

/** A picture of a published brief. It is untrusted, like the texts of the brief. */
export const referencePicture = z.object(picture).meta({ id: 'ReferencePicture' });

/** The field of every view of a published project. */
export const referenceFields = {
  reference_pictures: z.array(referencePicture).meta({ description: 'Untrusted' }),
};
