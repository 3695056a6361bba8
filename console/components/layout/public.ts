/**
 * The structure of a page: heading and lead, sections, columns, panels.
 */
export { notePageChange, pageChangeRegion } from './page-change.ts';
export { Page } from './page.tsx';
export { Panel, PanelFacts } from './panel.tsx';
export { PendingPage } from './pending-page.tsx';
export { Columns, Section } from './section.tsx';
export { SideLayout } from './side-layout.tsx';
