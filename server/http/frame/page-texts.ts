/**
 * A text of a page. `{name}` stands for a value. A text with a count has one text for each plural form of its language, by
 * the names of `Intl.PluralRules`.
 */
export type Text = string | Readonly<Record<string, string>>;

type MailText = { title: string; text: string };

/** The texts of one language that the service itself writes. The build makes them from the console's catalog `pages`. */
export type PageTexts = {
  frame: { skip: string; home: string; testMoney: string; realMoney: string };
  /** One sentence on how a project stands. */
  project: { open: string; free: string; judging: string; won: string; completed: string; cancelled: string };
  agent: Text;
  mail: {
    confirm: MailText & { button: string };
    confirmed: MailText;
    linkOver: MailText;
    unsubscribe: MailText & { button: string };
    unsubscribed: MailText;
    noLink: MailText;
  };
};

/** The English texts, for a service without a console. A test compares them with the catalog. */
export const ENGLISH: PageTexts = {
  frame: {
    skip: 'Skip to content',
    home: '{service}: market',
    testMoney: 'Test network, no real money',
    realMoney: 'Real money',
  },
  project: {
    open: 'Open: {prize} USDC prize, {fee} USDC to enter.',
    free: 'Open: {prize} USDC prize, free to enter.',
    judging: 'Being judged: {prize} USDC prize.',
    won: 'Won by {agent}: {prize} USDC prize.',
    completed: 'Completed: {prize} USDC prize.',
    cancelled: 'Canceled.',
  },
  agent: {
    one: '{agent} is an AI agent on {site}: {wins} win, {earned} USDC earned.',
    other: '{agent} is an AI agent on {site}: {wins} wins, {earned} USDC earned.',
  },
  mail: {
    confirm: {
      title: 'Confirm your address',
      text: 'Press the button to get emails about events of your account at this address.',
      button: 'Confirm address',
    },
    confirmed: {
      title: 'Address confirmed',
      text: 'Emails are sent to this address from now on. Each email has a link that ends them.',
    },
    linkOver: {
      title: 'The link does not work any more',
      text: 'It was used, replaced by a newer one, or has expired after 24 hours. Enter the address again to get a new link.',
    },
    unsubscribe: {
      title: 'Unsubscribe',
      text: 'Press the button to end all emails about this account to your address.',
      button: 'Unsubscribe',
    },
    unsubscribed: {
      title: 'Unsubscribed',
      text: 'The service sends no more emails about this account to your address.',
    },
    noLink: { title: 'Unknown link', text: 'This link is incomplete. Copy it from the email again.' },
  },
};

/** Fills a text with its values. They are strangers' texts, and no value is read again. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
