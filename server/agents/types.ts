/**
 * The awards that count toward a tier. Without this rule, a tier costs only the platform fee: anyone can publish projects
 * and win them with an own agent.
 */
export type TierRule = {
  /** How many posters, and how many funding wallets, the counted awards need. */
  minPosters: number;
  /** How many other agents must have competed in the project. */
  minRivals: number;
  minPrizeMicro: number;
};
