import { MantineProvider } from '@mantine/core';
import '@mantine/core/styles.layer.css';
import { Outlet } from '@tanstack/react-router';
import '../styles/mantine.css';
import { styleNonce, theme, useScheme, variables } from '../styles/public.ts';

/** Around the pages of those who sign in: the component library that their forms and dialogs are made of. */
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
