import { manifestOperations } from '../../../contract/projects/manifest.ts';
import { serve } from '../../serve.ts';
import { getManifest } from './get-manifest.ts';

export const manifestRoutes = [serve(manifestOperations.getManifest, getManifest)];
