import { termsOperations } from '../../../contract/projects/terms.ts';
import { serve } from '../../serve.ts';
import { getLicence, listLicences } from './get-licence.ts';
import { getTerms, getTermsVersion } from './get-terms.ts';

export const termsRoutes = [
  serve(termsOperations.getTerms, getTerms),
  serve(termsOperations.getTermsVersion, getTermsVersion),
  serve(termsOperations.listLicences, listLicences),
  serve(termsOperations.getLicence, getLicence),
];
