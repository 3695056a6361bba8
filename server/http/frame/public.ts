// The frame of the pages that are not the console's, and the texts that the service writes into pages: the public
// interface of http/frame/.

export { framedPage, type PageFrame, siteNav } from './frame.ts';
export { GUIDES, HELP } from './guide-names.ts';
export { ENGLISH, filled, PAGE_TEXTS, type PageTexts } from './page-texts.ts';
export { SCHEME_SCRIPT, siteStyle } from './style.ts';
