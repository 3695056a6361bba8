import { judgingOperations } from '../../../contract/projects/judging.ts';
import { serve } from '../../serve.ts';
import { noteEntry } from './note-entry.ts';

export const noteRoutes = [serve(judgingOperations.noteEntry, noteEntry)];
