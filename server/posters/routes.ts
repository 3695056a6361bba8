import { posterKeyOperations } from '../../contract/poster-keys.ts';
import { posterOperations } from '../../contract/posters.ts';
import { sessionOperations } from '../../contract/sessions.ts';
import { serve } from '../serve.ts';
import { createKey, listKeys, revokeKey } from './account-keys.ts';
import { createPoster } from './create-poster.ts';
import { challengeSession, createSession } from './create-session.ts';
import { deleteSession } from './delete-session.ts';
import { getSession } from './get-session.ts';

export const posterRoutes = [
  serve(posterOperations.createPoster, createPoster),
  serve(posterKeyOperations.listPosterKeys, listKeys),
  serve(posterKeyOperations.createPosterKey, createKey),
  serve(posterKeyOperations.revokePosterKey, revokeKey),
  serve(sessionOperations.challengeSession, challengeSession),
  serve(sessionOperations.createSession, createSession),
  serve(sessionOperations.getSession, getSession),
  serve(sessionOperations.deleteSession, deleteSession),
];
