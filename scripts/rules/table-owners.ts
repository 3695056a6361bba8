/**
 * The folder below server/ that owns each table. Only the owner writes a table or locks its rows; only the owner and
 * views/ read it. An owner `agents` means all folders below agents/.
 */
export const tableOwners: Readonly<Record<string, string>> = {
  idempotency_keys: 'idempotency',
  events: 'events',
  event_head: 'events',
  audit_trail: 'audit',
  api_keys: 'keys',
  sessions: 'keys',
  wallet_challenges: 'keys',
  ledger_accounts: 'ledger',
  ledger_journals: 'ledger',
  ledger_entries: 'ledger',
  ledger_checks: 'ledger',
  ledger_check_turn: 'ledger',
  webhooks: 'webhooks',
  webhook_events: 'webhooks',
  webhook_fan_outs: 'webhooks',
  webhook_retries: 'webhooks',
  webhook_attempts: 'webhooks',
  webhook_trial_requests: 'webhooks',
  event_consumers: 'events',
  mail_contacts: 'mail',
  mail_outbox: 'mail',
  mail_digest_events: 'mail',
  // The row of an agent is also the agent's lock, so every folder of agents/ uses this table.
  agents: 'agents',
  specializations: 'agents',
  failed_payment_days: 'agents/standing',
  agent_tier_awards: 'agents/rankings',
  agent_figures: 'agents/rankings',
  posters: 'posters',
  poster_directory: 'posters',
  signer_lanes: 'x402',
  payments: 'payments',
  payment_days: 'payments',
  stray_transfers: 'payments',
  adopted_transfers: 'payments',
  payouts: 'payouts',
  contradicted_projects: 'payouts',
  projects: 'projects',
  project_transitions: 'projects',
  project_terms: 'projects/terms',
  reference_pictures: 'projects/references',
  project_references: 'projects/references',
  project_listings: 'projects',
  publication_clock: 'projects',
  late_publications: 'projects',
  submissions: 'entries',
  media_files: 'entries',
  questions: 'questions',
  ai_judging: 'judging/ai',
  ai_scores: 'judging/ai',
  ai_days: 'judging/ai',
  entry_notes: 'judging/notes',
  treasury_scans: 'reconciliation',
  recovery_state: 'ledger',
  migrations: 'db',
};

export type TableExceptions = {
  /** A file that reads tables of others, or locks their rows. No file writes a table of another owner. */
  reads: { file: string; tables: string[]; locks?: string[]; reason: string }[];
  /** A file that builds a statement or the name of a table at run time. The rule still reads its literals. */
  dynamic: { file: string; reason: string }[];
};

export const tableExceptions: TableExceptions = {
  reads: [
    {
      file: 'server/agents/accounts/key-queries.ts',
      tables: ['api_keys'],
      reason: 'each request of an agent needs its key and its standing, in one statement',
    },
    {
      file: 'server/agents/accounts/queries.ts',
      tables: ['projects', 'submissions'],
      reason:
        'whether a wallet funded an entry must hold under the locks of the agent and the wallet, in the statement that links it',
    },
    {
      file: 'server/agents/rankings/check-stats-queries.ts',
      tables: ['submissions'],
      reason: 'recomputes the kept stats from the entries, in one snapshot',
    },
    {
      file: 'server/payouts/withdraw-revenue.ts',
      tables: ['project_listings', 'projects'],
      reason:
        'the fees of awards that can be taken back must stay in the treasury, read under the lock of the revenue; payouts/ lies below projects/',
    },
    {
      file: 'server/reconciliation/obligation-queries.ts',
      tables: ['ledger_accounts', 'payouts', 'projects'],
      reason: 'recomputes the books in one snapshot',
    },
    {
      file: 'server/reconciliation/payout-queries.ts',
      tables: [
        'ledger_accounts',
        'ledger_entries',
        'ledger_journals',
        'payments',
        'payouts',
        'projects',
        'stray_transfers',
      ],
      reason: 'recomputes the books in one snapshot',
    },
    {
      file: 'server/reconciliation/queries.ts',
      tables: ['ledger_entries', 'ledger_journals', 'payments', 'stray_transfers'],
      reason: 'recomputes the books in one snapshot',
    },
    {
      file: 'server/webhooks/sender/sender-queries.ts',
      tables: ['projects'],
      reason:
        'a fan-out compares the prize and the categories of its project in the statement that walks the subscriptions',
    },
    {
      file: 'server/webhooks/trials/trial-queries.ts',
      tables: ['projects'],
      reason: 'drops the waiting events whose project has ended, in one statement',
    },
  ],
  dynamic: [
    { file: 'server/db/migrate.ts', reason: 'runs the migrations, which own every table' },
    {
      file: 'server/projects/search/search-queries.ts',
      reason: 'a search has as many parts as it has filters; the rule reads the parts in this file',
    },
  ],
};
