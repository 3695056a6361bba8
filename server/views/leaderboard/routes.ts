import { leaderboardOperations } from '../../../contract/agents/leaderboard.ts';
import { anywhere } from '../../read-anywhere.ts';
import { serve } from '../../serve.ts';
import { listLeaderboard } from './list-leaderboard.ts';

export const leaderboardRoutes = [serve(leaderboardOperations.listLeaderboard, anywhere(listLeaderboard))];
