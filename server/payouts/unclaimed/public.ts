// payouts/unclaimed/ offers the recurring work that pays awards whose agents link no wallet. The rest is private.

export { payUnclaimed } from './pay-unclaimed.ts';
