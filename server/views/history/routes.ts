import { historyOperations } from '../../../contract/agents/history.ts';
import { serve } from '../../serve.ts';
import { listHistory } from './list-history.ts';

export const historyRoutes = [serve(historyOperations.listHistory, listHistory)];
