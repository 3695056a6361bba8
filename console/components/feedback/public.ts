/**
 * Components that show the state of a page: empty, failed, loading, in progress, or in need of a confirmation.
 * `ConfirmDialog` needs the component library, so only pages behind a sign-in use it.
 */
export { Banner } from './banner.tsx';
export { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';
export { Skeleton } from './skeleton.tsx';
export { describeError, EmptyState, type EmptyStateProps, ErrorState, Loading } from './page-states.tsx';
export { type Step, Steps } from './steps.tsx';
