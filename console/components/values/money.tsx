import { shortUsdc, usdc } from '../../format/public.ts';
import classes from './money.module.css';

/** An amount with its unit. `short` omits `.00`. */
export function Money({ micro, short = false }: { micro: number; short?: boolean }) {
  return (
    <span className={classes.money}>
      {short ? shortUsdc(micro) : usdc(micro)} <span className={classes.unit}>USDC</span>
    </span>
  );
}
