import { galleryOperations } from '../../../contract/projects/gallery.ts';
import { serve } from '../../serve.ts';
import { listEntries } from './list-entries.ts';
import { listPublicEntries } from './list-public-entries.ts';

export const galleryRoutes = [
  serve(galleryOperations.listEntries, listEntries),
  serve(galleryOperations.listPublicEntries, listPublicEntries),
];
