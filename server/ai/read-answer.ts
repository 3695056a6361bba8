import { z } from 'zod';
import type { Answer, AnswerShape } from '../ports/ai.ts';

// Everything but what is asked for is no answer: a refusal, a tool call, a text that was cut off, two choices.
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
// Beyond it no number is believed, and sums stay exact.
const usage = z.object({ usage: z.object({ total_tokens: z.int().min(1).max(100_000_000) }) });

/** Reads what an endpoint answered with status 200; `guess` is the cost where it does not tell one. */
export function readAnswer<T>(body: unknown, shape: AnswerShape<T>, guess: number): Answer<T> {
  const told = usage.safeParse(body);
  const tokens = told.success ? told.data.usage.total_tokens : guess;
  const envelope = completion.safeParse(body);
  if (!envelope.success) return { kind: 'wrong', problem: 'no complete answer', tokens };
  const parsed = shape.schema.safeParse(jsonOf(envelope.data.choices[0].message.content));
  return parsed.success
    ? { kind: 'answer', value: parsed.data, tokens }
    : { kind: 'wrong', problem: 'an answer of another form', tokens };
}

/** Undefined for what is no JSON from its first to its last character. */
function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
