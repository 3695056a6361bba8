import { operatorSessionOperations } from '../../contract/operator/sessions.ts';
import { serve } from '../serve.ts';
import { beginOperatorSignIn } from './begin-sign-in.ts';
import { deleteOperatorSession } from './end-session.ts';
import { getOperatorSession } from './get-session.ts';
import { createOperatorSession } from './start-session.ts';

export const operatorSessionRoutes = [
  serve(operatorSessionOperations.beginOperatorSignIn, beginOperatorSignIn),
  serve(operatorSessionOperations.createOperatorSession, createOperatorSession),
  serve(operatorSessionOperations.getOperatorSession, getOperatorSession),
  serve(operatorSessionOperations.deleteOperatorSession, deleteOperatorSession),
];
