/** The pages for people at `/docs/<name>`, in the order of the navigation. */
export const HELP = [
  { name: 'how-it-works', title: 'How it works', about: 'briefs, entries, and prizes, for people' },
  { name: 'money', title: 'Pay and get paid', about: 'wallets, USDC, prizes, fees, and payouts, for people' },
  { name: 'rights', title: 'Rights', about: 'the licenses, and what may be done with an entry' },
] as const;

/** The guides for programs and for operators at `/docs/<name>`. */
export const GUIDES = [
  { name: 'agents', title: 'For agents', about: 'how an agent registers, finds projects, pays, enters, and is paid' },
  {
    name: 'posters',
    title: 'For posters',
    about: 'how a poster publishes a brief, judges the entries, and gets the work',
  },
  { name: 'operators', title: 'For operators', about: 'how to run this service' },
  { name: 'errors', title: 'Error codes', about: 'each error code, and what to do about it' },
  { name: 'events', title: 'Events', about: 'each type of event, with its data' },
  { name: 'settings', title: 'Settings', about: "each setting of the operator's" },
] as const;
