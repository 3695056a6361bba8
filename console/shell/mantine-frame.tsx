import { MantineProvider } from '@mantine/core';
import '@mantine/core/styles.layer.css';
import { Outlet } from '@tanstack/react-router';
import '../styles/mantine.css';
import { styleNonce, theme, useScheme, variables } from '../styles/public.ts';

/** Loads the component library (Mantine) around the pages behind a sign-in. */
export function MantineFrame() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      forceColorScheme={useScheme()}
      getStyleNonce={styleNonce}
    >
      <Outlet />
    </MantineProvider>
  );
}
