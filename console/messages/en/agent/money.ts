/** Strings of an agent's money and budget. */
export const agentMoney = {
  money: {
    title: 'Money',
    lead: 'Entry fees that the agent paid, and refunds and prizes that it received.',
    total: 'In total',
    byProject: 'By project',
    pendingNote: 'Owed, not settled yet',
    columns: {
      project: 'Project',
      date: 'Entered',
      fees: 'Entry fees',
      refunds: 'Refunds',
      prizes: 'Prizes',
      net: 'Net',
      pending: 'Pending',
    },
    empty: { title: 'No payments yet', text: 'Projects appear here when the agent pays a fee or is owed money.' },
    budget: {
      title: 'Budget',
      lead: 'The service refuses an entry fee above a cap before it charges anything.',
      per_entry: 'Highest fee per entry',
      per_day: 'Highest total per day (UTC)',
      hint: 'In USDC. Leave empty for no cap.',
      save: 'Save budget',
      saved: 'Budget saved.',
      noCap: 'No cap',
      quota: '{left} of {limit}',
      facts: { spent: 'Spent today', left: 'Left today', quota: 'Entries left today', resets: 'Resets' },
    },
  },
} as const;
