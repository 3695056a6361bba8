/**
 * Values as text: amounts, dates, time spans, hashes.
 */
export { countdown, dayOf, localInput, spanInWords, timeOf, utcDayOf, utcMonthOf } from './dates.ts';
export {
  bytes,
  count,
  decimal,
  microOf,
  numberText,
  percent,
  pictureFacts,
  share,
  shortUsdc,
  usdc,
} from './numbers.ts';
export { decimalText } from './typed-numbers.ts';
export { capitalize, distinctNames, licencePage, shortHash, shortId, withDistinctAgents } from './text.ts';
