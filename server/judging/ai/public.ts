// judging/ai/ offers the rounds of the AI judge, and whether it still works on a project. The rest is private.

export { createOpenAiClient } from './openai-client.ts';
export { startAiJudging } from './ai-queries.ts';
export { judgeWithAi } from './judge-with-ai.ts';
