import { Banner } from '../components/feedback/public.ts';
import classes from './read-only-banner.module.css';

/** Says at the top of each page why something cannot be changed: a key of a lesser scope started the session. */
export function ReadOnlyBanner({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.place}>
      <Banner tone="warn" title={title}>
        {text}
      </Banner>
    </div>
  );
}
