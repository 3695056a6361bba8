import { z } from 'zod';
import type { ModelAnswer, AnswerShape } from '../ports/ai.ts';

// Accepts one complete text. A refusal, a tool call, a truncated text, or two choices are wrong answers.
const completion = z.object({
  choices: z.tuple([
    z.object({
      finish_reason: z.literal('stop'),
      message: z.object({
        content: z.string(),
        refusal: z.null().optional(),
        tool_calls: z.tuple([]).nullish(),
        function_call: z.null().optional(),
      }),
    }),
  ]),
});
// A larger number is not plausible; below it sums stay exact.
const usage = z.object({ usage: z.object({ total_tokens: z.int().min(1).max(100_000_000) }) });

/** Reads an answer with status 200. `guess` is the cost in tokens when the endpoint reports none. */
export function readAnswer<T>(body: unknown, shape: AnswerShape<T>, guess: number): ModelAnswer<T> {
  const told = usage.safeParse(body);
  const tokens = told.success ? told.data.usage.total_tokens : guess;
  const envelope = completion.safeParse(body);
  if (!envelope.success) return { kind: 'wrong', problem: 'no complete answer', tokens };
  const parsed = shape.schema.safeParse(jsonOf(envelope.data.choices[0].message.content));
  return parsed.success
    ? { kind: 'answer', value: parsed.data, tokens }
    : { kind: 'wrong', problem: 'an answer of another form', tokens };
}

/** Returns `undefined` for text that is not JSON as a whole. */
function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
