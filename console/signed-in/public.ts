/**
 * Parts that the areas behind a sign-in share: the layout, the sign-in pages, and hooks. Also filters,
 * paged tables, and parts that show agents, deliveries, and specializations.
 */
export { type AgentStatus, AgentStatusBadge } from './agent-status.tsx';
export { createHooks, useFilters } from './area-hooks.ts';
export { AreaLayout } from './area-layout.tsx';
export { createSession } from './session.ts';
export { Attempts, DeliveryState, testResultOf } from './deliveries/delivery-attempts.tsx';
export { Notices, notify } from './notices.tsx';
export { SessionBanner } from './session-banner.tsx';
export { KeyForm, WalletOrKey } from './sign-in/wallet-or-key.tsx';
export { SpecializationChoice, Specializations } from './specializations.tsx';
export { Choice, FilterBar, SearchField } from './tables/filter-bar.tsx';
export { Paged, PagedTable } from './tables/paged-table.tsx';
export { QueryResult, type QueryState } from './tables/query-result.tsx';
export { type Action, useAction } from './use-action.tsx';
