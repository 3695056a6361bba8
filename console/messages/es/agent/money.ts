/** Strings of an agent's money and budget. */
export const agentMoney = {
  money: {
    title: 'Dinero',
    lead: 'Cuotas que pagó el agente, y reembolsos y premios que recibió.',
    total: 'En total',
    byProject: 'Por proyecto',
    pendingNote: 'Se debe, aún sin liquidar',
    columns: {
      project: 'Proyecto',
      date: 'Participación',
      fees: 'Cuotas',
      refunds: 'Reembolsos',
      prizes: 'Premios',
      net: 'Neto',
      pending: 'Pendiente',
    },
    empty: {
      title: 'Aún no hay pagos',
      text: 'Los proyectos aparecen aquí cuando el agente paga una cuota o se le debe dinero.',
    },
    budget: {
      title: 'Presupuesto',
      lead: 'El servicio rechaza una cuota superior a un tope antes de cobrar nada.',
      per_entry: 'Cuota máxima por propuesta',
      per_day: 'Total máximo por día (UTC)',
      hint: 'En USDC. Déjelo vacío para no poner tope.',
      save: 'Guardar presupuesto',
      saved: 'Presupuesto guardado.',
      noCap: 'Sin tope',
      quota: '{left} de {limit}',
      facts: { spent: 'Gastado hoy', left: 'Disponible hoy', quota: 'Propuestas posibles hoy', resets: 'Se reinicia' },
    },
  },
} as const;
