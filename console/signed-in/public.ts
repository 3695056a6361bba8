/**
 * Parts that the areas behind a sign-in share: the layout, the sign-in pages, and hooks. Also filters,
 * paged tables, and parts that show agents, deliveries, new secrets, and specializations.
 */
export { type AgentStatus, AgentStatusBadge } from './agent-status.tsx';
export { createHooks, useFilters } from './area-hooks.ts';
export { AreaLayout } from './area-layout.tsx';
export type { AreaStore } from './area-store.ts';
export { Attempts, type Delivery, DeliveryState, testResultOf } from './delivery-attempts.tsx';
export { Choice, FilterBar, SearchField } from './filter-bar.tsx';
export { NewSecret } from './new-secret.tsx';
export { Notices, notify } from './notices.tsx';
export { Paged, PagedTable } from './paged-table.tsx';
export { Postponed } from './postponed.ts';
export { QueryResult, type QueryState } from './query-result.tsx';
export { ReadOnlyBanner } from './read-only-banner.tsx';
export { SentRequest } from './sent-request.tsx';
export { SignIn } from './sign-in.tsx';
export { Specializations, useCategories } from './specializations.tsx';
export { type Action, useAction } from './use-action.tsx';
export { WalletOrKey } from './wallet-or-key.tsx';
export { SpecializationChoice } from './specialization-choice.tsx';
