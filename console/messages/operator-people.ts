/** Strings about operators as people: their codes, their approvals, and their keys. */
export const operatorPeople = {
  code: {
    title: 'Enter a code',
    lead: 'This act needs a code from your authenticator app. A code works once.',
    label: 'Six-digit code',
    invalid: 'Enter the 6 digits that the app shows.',
    send: 'Send code',
    cancel: 'Go back',
  },
  approvals: {
    waits: (amount: string) =>
      `Nothing has moved yet: ${amount} USDC wait for another operator. “Approvals” lists the request.`,
  },
};
