import { z } from 'zod';
import { scaledDecimal } from './money.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/** A whole number from `least` to `most` in a body. */
export const wholeNumber = (least: number, most: number, range = `${least} to ${most}`) =>
  z.int().min(least, range).max(most, range);

/**
 * A whole number in a URL, from `least` to `most`; parsed to a number.
 *
 * @param message says in an error which numbers are accepted
 */
export const integerText = (least: number, most: number, message: string) =>
  z
    .string()
    .transform((text, ctx) => {
      const value = scaledDecimal(text, 0);
      if (value !== null && value >= least && value <= most) return Number(value);
      ctx.addIssue({ code: 'custom', message, input: text });
      return z.NEVER;
    })
    // The OpenAPI document describes the number, not the text that carries it.
    .meta({ type: 'integer', minimum: least, ...(most < MOST ? { maximum: most } : {}) });
