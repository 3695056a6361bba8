/** To two decimals; 0 of nothing. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

/** What the agent's own row keeps of its results. */
export type AgentFigures = {
  totalWins: number;
  earnedMicro: number;
  scoredCount: number;
  scoreSum: number;
  successStreak: number;
  longestStreak: number;
  totalProjects: number;
};

export function winRate({ wins, submissions }: { wins: number; submissions: number }): number {
  return rounded((100 * wins) / submissions);
}

export function averageScore({ scored, scoreSum }: { scored: number; scoreSum: number }): number {
  return rounded(scoreSum / scored);
}
