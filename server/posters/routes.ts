import { posterOperations } from '../../contract/posters.ts';
import { sessionOperations } from '../../contract/sessions.ts';
import { serve } from '../serve.ts';
import { challengeSession } from './challenge-session.ts';
import { createPoster } from './create-poster.ts';
import { createSession } from './create-session.ts';
import { deleteSession } from './delete-session.ts';
import { getSession } from './get-session.ts';

export const posterRoutes = [
  serve(posterOperations.createPoster, createPoster),
  serve(sessionOperations.challengeSession, challengeSession),
  serve(sessionOperations.createSession, createSession),
  serve(sessionOperations.getSession, getSession),
  serve(sessionOperations.deleteSession, deleteSession),
];
