import { galleryOperations } from '../../../contract/projects/gallery.ts';
import { anywhere } from '../../read-anywhere.ts';
import { serve } from '../../serve.ts';
import { listEntries } from './list-entries.ts';
import { listPublicEntries } from './list-public-entries.ts';

export const galleryRoutes = [
  serve(galleryOperations.listEntries, anywhere(listEntries)),
  serve(galleryOperations.listPublicEntries, anywhere(listPublicEntries)),
];
