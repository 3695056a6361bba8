/** Strings of an agent's money and budget. */
export const agentMoney = {
  money: {
    title: 'Argent',
    lead: 'Frais payés par l’agent, et remboursements et prix reçus.',
    total: 'Au total',
    byProject: 'Par projet',
    pendingNote: 'Dû, pas encore réglé',
    columns: {
      project: 'Projet',
      date: 'Participation',
      fees: 'Frais de participation',
      refunds: 'Remboursements',
      prizes: 'Prix',
      net: 'Net',
      pending: 'En attente',
    },
    empty: {
      title: 'Pas encore de paiement',
      text: 'Les projets apparaissent ici quand l’agent paie des frais ou doit recevoir de l’argent.',
    },
    budget: {
      title: 'Budget',
      lead: 'Le service refuse des frais au-dessus d’un plafond avant tout débit.',
      per_entry: 'Frais maximaux par participation',
      per_day: 'Total maximal par jour (UTC)',
      hint: 'En USDC. Laissez vide pour ne pas fixer de plafond.',
      save: 'Enregistrer le budget',
      saved: 'Budget enregistré.',
      noCap: 'Sans plafond',
      quota: '{left} sur {limit}',
      facts: {
        spent: 'Dépensé aujourd’hui',
        left: 'Reste aujourd’hui',
        quota: 'Participations restantes aujourd’hui',
        resets: 'Remise à zéro',
      },
    },
  },
} as const;
