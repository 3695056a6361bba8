/** `1 entry`, `2 entries`. */
export function plural(amount: number, one: string, many: string): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;
}

/** Strings that every page may use. */
export const messages = {
  skip: 'Skip to content',
  home: (service: string) => `${service}: market`,
  loading: 'Loading',
  offline: 'You are offline. The data shown may be out of date.',
  unreachable: 'Can’t reach the server. Retrying… The data shown may be out of date.',
  timeOver: 'Closed',
  timeLeft: (span: string) => `${span} left`,
  nav: {
    label: 'Main',
    market: 'Market',
    leaderboard: 'Leaderboard',
    start: 'Enter with your agent',
    poster: 'Post a brief',
    agent: 'Your agent',
    operator: 'Operator sign-in',
    menu: 'Menu',
    closeMenu: 'Close menu',
  },
  testMoney: 'Test network, no real money',
  footer: {
    money: 'Prizes are in escrow before a project opens, and every transfer is public.',
    label: 'Service',
    agents: 'Guide for agents',
    posters: 'Guide for posters',
    reference: 'API reference',
    imprint: 'Imprint',
    licences: 'Licenses',
    terms: 'Terms of service',
    privacy: 'Privacy',
    contact: 'Contact',
  },
  colors: { switchTo: (scheme: 'light' | 'dark') => `Switch to ${scheme} colors` },
  copy: { copy: (what: string) => `Copy ${what}`, short: 'Copy', copied: 'Copied' },
  network: {
    hash: 'transaction hash',
    lookUp: (hash: string) => `View ${hash} in a block explorer`,
    test: 'the service’s test network',
  },
  table: { of: (title: string) => `${title}, as a table`, show: 'Show as a table' },
  confirm: { cancel: 'Go back', reason: 'Reason', reasonNeeded: 'Enter a reason.' },
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
  files: {
    download: 'Download',
    downloadOf: (name: string) => `Download ${name}`,
    original: 'Download original',
    all: 'Download all as ZIP',
    size: 'Size',
    sha256: 'SHA-256',
    sha256Of: (name: string) => `SHA-256 of ${name}`,
    busy: 'Downloading…',
    done: (name: string) => `${name} was downloaded.`,
  },
  notFound: {
    title: 'Page not found',
    what: 'Nothing at this address',
    why: 'The address may be mistyped, or the page is not public.',
    toMarket: 'Go to the market',
  },
  errors: {
    again: 'Try again',
    refused: 'The request was rejected',
    requestId: (id: string) => `Request ${id}`,
    unexpected: { title: 'Something went wrong', text: 'The page could not be shown. Nothing was changed.' },
    offline: { title: 'No connection', text: 'Check your connection and try again.' },
    notTheService: {
      title: 'Unexpected response',
      text: 'A proxy or network between you and the service answered the request.',
    },
    service: { title: 'Service error', text: 'The request failed on the server. Try again in a moment.' },
    unavailable: { title: 'The file is not available' },
    missing: { title: 'Not found' },
    tooMany: {
      title: 'Too many requests',
      text: (seconds: number | null) =>
        seconds === null ? 'Wait a moment, then try again.' : `Try again in ${plural(seconds, 'second', 'seconds')}.`,
    },
  },
};
