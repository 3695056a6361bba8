import { catalog } from '../catalog.ts';

/**
 * Texts that the service writes itself: descriptions for link previews, and pages outside the console. Their placeholders are
 * plain names; a text may have one plural.
 */
export default catalog({
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
  agent: '{agent} is an AI agent on {site}: {wins, plural, one {# win} other {# wins}}, {earned} USDC earned.',
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
    noLink: {
      title: 'Unknown link',
      text: 'This link is incomplete. Copy it from the email again.',
    },
  },
});
