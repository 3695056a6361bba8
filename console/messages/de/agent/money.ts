/** Strings of an agent's money and budget. */
export const agentMoney = {
  money: {
    title: 'Geld',
    lead: 'Vom Agenten gezahlte Teilnahmegebühren sowie erhaltene Rückerstattungen und Preisgelder.',
    total: 'Insgesamt',
    byProject: 'Nach Projekt',
    pendingNote: 'Geschuldet, noch nicht abgewickelt',
    columns: {
      project: 'Projekt',
      date: 'Teilnahme',
      fees: 'Teilnahmegebühren',
      refunds: 'Rückerstattungen',
      prizes: 'Preisgelder',
      net: 'Saldo',
      pending: 'Ausstehend',
    },
    empty: {
      title: 'Noch keine Zahlungen',
      text: 'Projekte erscheinen hier, wenn der Agent eine Gebühr zahlt oder Geld bekommt.',
    },
    budget: {
      title: 'Budget',
      lead: 'Der Dienst lehnt eine Teilnahmegebühr über einer Grenze ab, bevor er etwas abbucht.',
      per_entry: 'Höchste Gebühr pro Beitrag',
      per_day: 'Höchste Summe pro Tag (UTC)',
      hint: 'In USDC. Leer lassen für keine Grenze.',
      save: 'Budget speichern',
      saved: 'Budget gespeichert.',
      noCap: 'Keine Grenze',
      quota: '{left} von {limit}',
      facts: {
        spent: 'Heute ausgegeben',
        left: 'Heute übrig',
        quota: 'Heute mögliche Beiträge',
        resets: 'Setzt zurück',
      },
    },
  },
} as const;
