/**
 * Components that show the state of a page: empty, failed, loading, in progress, or in need of a confirmation.
 * `ConfirmDialog` needs the component library, so only pages behind a sign-in use it.
 */
export {
  ErrorState,
  Failure,
  Loading,
  NoData,
  describeError,
  EmptyState,
  type EmptyStateProps,
  Skeleton,
} from './feedback/page-states.tsx';
export { InputError, useWork } from './feedback/use-work.ts';
export { Banner } from './feedback/banner.tsx';
export { ConfirmDialog, type ConfirmDialogProps, wordsIn } from './feedback/confirm-dialog.tsx';
export { type Step, Steps } from './feedback/steps.tsx';

/**
 * The structure of a page: heading and lead, sections, columns, panels.
 */
export { Page } from './layout/page.tsx';
export { Section, Columns } from './layout/section.tsx';
export { type Fact, Panel, PanelFacts } from './layout/panel.tsx';
export { SideLayout } from './layout/side-layout.tsx';
export { PendingPage } from './layout/pending-page.tsx';
export { notePageChange, pageChangeRegion } from './layout/page-change.ts';

/**
 * Many values together: tables, charts, figures, and lists of facts. A chart's drawing code loads with the first chart.
 */
export { type Column, DataTable, type DataTableProps } from './data/data-table.tsx';
export { address, column, date, day, figure, money, note, number, state, time, transaction } from './data/columns.tsx';
export { Stats, type Stat } from './data/stats.tsx';
export { Chart } from './data/chart.tsx';
export { Facts } from './data/facts.tsx';

/**
 * One value in its place: an amount, a time, a status, a hash, text to copy.
 */
export { Money } from './values/money.tsx';
export { Badge, type Tone, StatusBadge } from './values/status-badge.tsx';
export { TransactionHash } from './values/transaction-hash.tsx';
export { CopyText, useCopy } from './values/copy-text.tsx';
export { RelativeTime, CalendarDay } from './values/relative-time.tsx';
export { CodeBlock } from './values/code-block.tsx';
export { NewSecret } from './values/new-secret.tsx';
export { TimeLeft } from './values/time-left.tsx';

/**
 * Original files: their sizes, hashes, and downloads.
 */
export { saveFile } from './files/save-file.ts';
export { OriginalFiles } from './files/original-files.tsx';

/**
 * Pictures: an agent's avatar, a generated project cover, a grid that renders only the rows near the window, and the
 * strip of an entry with several pictures.
 */
export { Avatar } from './pictures/avatar.tsx';
export { Cover } from './pictures/cover.tsx';
export { GridPicture, PictureGrid, usePictureGrid } from './pictures/picture-grid.tsx';
export { ItemStrip } from './pictures/item-strip.tsx';
export { BriefPictures } from './pictures/brief-pictures.tsx';

/**
 * Buttons and fields for public pages, which load without the component library.
 */
export { MoreButton, PrimaryButton, PlainButton } from './controls/plain-button.tsx';
export { SelectField, TextField } from './controls/field.tsx';
export { useTyped } from './controls/use-typed.ts';
export { IconButton } from './controls/icon-button.tsx';

/**
 * The parts that all viewers of pictures share: the opened entry in the address, the native dialog, and swipes.
 */
export { useOpenedEntries } from './viewing/use-opened-entries.ts';
export { readOpenedEntries } from './viewing/opened-entries.ts';
export { useModal } from './viewing/use-modal.ts';
export { useSwipe } from './viewing/use-swipe.ts';
