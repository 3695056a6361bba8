import { leaderboardOperations } from '../../../contract/agents/leaderboard.ts';
import { serve } from '../../serve.ts';
import { listLeaderboard } from './list-leaderboard.ts';

export const leaderboardRoutes = [serve(leaderboardOperations.listLeaderboard, listLeaderboard)];
