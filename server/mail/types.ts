/** The account that a contact address belongs to. */
export type MailAccount = { kind: 'agent' | 'poster'; id: string };

/** The people who run the service. Their addresses are a setting; `id` is the same for all of them. */
export type MailOperators = { kind: 'operator'; id: string };

/** One email, ready to be sent. */
export type Mail = {
  to: string;
  /** Stays the same at each attempt, so that the receiver's server can tell a repetition. */
  messageId: string;
  subject: string;
  text: string;
  headers: Record<string, string>;
  date: Date;
};

/**
 * The outcome of one attempt. `later`: try again. `refused`: this email will never be accepted. `dead_address`: neither
 * will any other email to the address.
 */
export type MailOutcome = { kind: 'sent' } | { kind: 'later' | 'refused' | 'dead_address'; reason: string };

/** Hands one email to the mail server. Never throws: a failure is an outcome. */
export type SendMail = (mail: Mail) => Promise<MailOutcome>;

/** Signs the tokens of the links in emails, with a key that is not in the database. */
export type MailTokens = {
  /** Returns the tokens that confirm an address, by the id of its email: one for each key, that of SECRETS_KEY first. */
  verification(mailId: string): [string, ...string[]];
  /** Returns the token that ends the emails of an account to an address. */
  unsubscribe(account: MailAccount, address: string): string;
  /** Returns what an unsubscribe token was made for; null for a token that this service did not make. */
  readUnsubscribe(token: string): { account: MailAccount; addressHash: string } | null;
  /** Returns the hash of an address that `readUnsubscribe` shows. */
  addressHash(address: string): string;
};
