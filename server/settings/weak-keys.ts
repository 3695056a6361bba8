type Values = { OPERATOR_KEY?: string | undefined; SECRETS_KEY?: string | undefined };

/** A key that somebody typed instead of drawing it at random. */
export function weakKeyProblems({ OPERATOR_KEY: operatorKey, SECRETS_KEY: secretsKey }: Values): string[] {
  const problems: string[] = [];
  if (operatorKey && new Set(operatorKey).size < 10)
    problems.push('OPERATOR_KEY: doubtful, too few different characters');
  if (secretsKey && new Set(secretsKey).size < 6) problems.push('SECRETS_KEY: doubtful, too few different digits');
  return problems;
}
