/** The settings of the model that judges, as `settings.ts` parses them. */
type AiValues = {
  AI_URL?: string | undefined;
  AI_MODEL?: string | undefined;
  AI_KEY?: string | undefined;
};

/** An incomplete set of AI settings is a mistake, not a choice. */
export function aiProblems(values: AiValues): string[] {
  const { AI_URL: url, AI_MODEL: model, AI_KEY: key } = values;
  if (!url) return model || key ? [`AI_URL: missing beside ${model ? 'AI_MODEL' : 'AI_KEY'}`] : [];
  const problems = model ? [] : ['AI_MODEL: missing beside AI_URL'];
  const { username, password, search, hash } = new URL(url);
  if (username || password) problems.push('AI_URL: holds a user or a password; put the key into AI_KEY');
  if (search || hash) problems.push('AI_URL: must end with its path, without ? and #');
  return problems;
}

export function aiOf({ AI_URL: url, AI_MODEL: model, AI_KEY: key }: AiValues) {
  return url && model ? { url, model, key } : undefined;
}
