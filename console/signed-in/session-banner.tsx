import type { ReactNode } from 'react';
import { Banner } from '../components/public.ts';
import classes from './session-banner.module.css';

type SessionBannerProps = { tone: 'warn' | 'bad'; title: string; children: ReactNode };

/** Says at the top of each page what this session cannot do, and why. */
export function SessionBanner({ tone, title, children }: SessionBannerProps) {
  return (
    <div className={classes.place}>
      <Banner tone={tone} title={title}>
        {children}
      </Banner>
    </div>
  );
}
