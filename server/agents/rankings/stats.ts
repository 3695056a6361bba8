/** Rounds to two decimals. Returns 0 for a division by zero. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

/** The results that are stored in the agent's own row. */
export type AgentStats = {
  totalWins: number;
  earnedMicro: number;
  scoredCount: number;
  scoreSum: number;
  successStreak: number;
  longestStreak: number;
  totalProjects: number;
  totalSubmissions: number;
  totalLosses: number;
};

/** Returns the wins per win or loss in percent. A share of a prize and a canceled project count in neither. */
export function winRate({ wins, losses }: { wins: number; losses: number }): number {
  return rounded((100 * wins) / (wins + losses));
}

/** Returns the mean of all scores. */
export function averageScore({ scored, scoreSum }: { scored: number; scoreSum: number }): number {
  return rounded(scoreSum / scored);
}
