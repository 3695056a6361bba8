/**
 * Colors and the theme: light or dark, the component library's theme, and the nonce for its `style` elements.
 * The style sheets beside this file are global; `main.tsx` imports them.
 */
export { chooseScheme, useScheme } from './color-scheme.ts';
export { styleNonce, theme, variables } from './mantine-theme.ts';
