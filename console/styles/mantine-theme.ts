import { Button, createTheme, type CSSVariablesResolver, Input, type MantineColorsTuple } from '@mantine/core';

// Passes the variables of tokens.css (colors, type, spacing) to Mantine.

/** From light to dark. Buttons use shade 7 in the light scheme and shade 4 in the dark scheme. */
const ember: MantineColorsTuple = [
  '#fdf1ec',
  '#f9ddd2',
  '#f3bba6',
  '#ee9878',
  '#ff9371',
  '#d9532f',
  '#c54423',
  '#b3361a',
  '#982c14',
  '#7a2210',
];

export const theme = createTheme({
  primaryColor: 'ember',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.32,
  colors: { ember },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '16px', xl: '24px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    // 42 px high, so a finger can press it.
    Button: Button.extend({
      defaultProps: { size: 'md' },
      // Mantine computes the text color for the light scheme only, so set it for both.
      vars: (_theme, { variant = 'filled' }) => ({
        root: variant === 'filled' ? { '--button-color': 'var(--accent-ink)' } : {},
      }),
    }),
    InputWrapper: Input.Wrapper.extend({ defaultProps: { size: 'md' } }),
    Input: Input.extend({ defaultProps: { size: 'md' } }),
    InputError: Input.Error.extend({ defaultProps: { role: 'alert' } }),
  },
});

const shared = {
  // The operator can set the accent, and the palette above is fixed.
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'color-mix(in srgb, var(--accent) 88%, var(--ink))',
  '--mantine-color-ember-filled': 'var(--accent)',
  '--mantine-color-ember-filled-hover': 'color-mix(in srgb, var(--accent) 88%, var(--ink))',
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-placeholder': 'var(--ink-soft)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--surface-raised)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-disabled': 'var(--surface-raised)',
  '--mantine-color-disabled-color': 'var(--ink-soft)',
  '--mantine-color-disabled-border': 'var(--line)',
};

export const variables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });

/** Returns the CSP nonce of this page. Browsers hide the attribute but keep the property. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';
}
