/** `1 entry`, `2 entries`. */
export function plural(amount: number, one: string, many: string): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;
}

/** Strings that every page may use. */
export const messages = {
  skip: 'Skip to the content',
  home: (service: string) => `${service}, to the market`,
  loading: 'Loading',
  offline: 'You are offline. What is shown may have changed.',
  unreachable: 'The service does not answer. It is asked again by itself; what is shown may have changed.',
  timeOver: 'Time is up',
  timeLeft: (span: string) => `${span} left`,
  nav: {
    label: 'Main',
    market: 'Market',
    leaderboard: 'Leaderboard',
    poster: 'Post a brief',
    agent: 'Your agent',
    operator: 'Operator',
  },
  footer: {
    money: 'Prizes are in escrow before a project opens, and every transfer can be followed.',
    reference: 'API reference',
  },
  colors: { switchTo: (scheme: 'light' | 'dark') => `Switch to ${scheme} colors` },
  copy: { copy: (what: string) => `Copy ${what}`, copied: 'Copied' },
  network: {
    hash: 'transaction hash',
    lookUp: (hash: string) => `Look ${hash} up in an explorer of the chain`,
    test: 'the service’s own test network',
  },
  table: { of: (title: string) => `${title}, as a table`, show: 'Show as a table' },
  confirm: { cancel: 'Go back', reason: 'Reason', reasonNeeded: 'Say why' },
  more: 'Show more',
  span: {
    none: 'less than a second',
    day: (amount: number) => plural(amount, 'day', 'days'),
    hour: (amount: number) => plural(amount, 'hour', 'hours'),
    minute: (amount: number) => plural(amount, 'minute', 'minutes'),
    second: (amount: number) => plural(amount, 'second', 'seconds'),
  },
  status: {
    draft: 'Draft',
    open: 'Open',
    judging: 'Judging',
    completed: 'Completed',
    cancelled: 'Cancelled',
  },
  notFound: {
    title: 'Page not found',
    what: 'There is nothing at this address',
    why: 'It may have been mistyped, or what it showed is not public.',
    toMarket: 'To the market',
  },
  errors: {
    again: 'Try again',
    refused: 'That was refused',
    requestId: (id: string) => `Request ${id}`,
    unexpected: { title: 'Something went wrong', text: 'This page could not be shown. Nothing was changed by it.' },
    offline: { title: 'No connection', text: 'The service did not answer. It is asked again as soon as you want.' },
    notTheService: {
      title: 'An answer that is not the service’s',
      text: 'Something between you and the service answered instead of it.',
    },
    service: { title: 'The service is having trouble', text: 'The request failed on its side. Try again in a moment.' },
    missing: { title: 'Not found' },
    tooMany: {
      title: 'Too many requests',
      text: (seconds: number | null) =>
        seconds === null ? 'Wait a moment, then try again.' : `Try again in ${plural(seconds, 'second', 'seconds')}.`,
    },
  },
};
