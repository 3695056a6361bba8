import type { Style } from './picture.ts';
import { blossom } from './styles/blossom.ts';
import { brushwork } from './styles/brushwork.ts';
import { city } from './styles/city.ts';
import { guilloche } from './styles/guilloche.ts';
import { lowPoly } from './styles/low-poly.ts';
import { marbling } from './styles/marbling.ts';
import { stainedGlass } from './styles/stained-glass.ts';
import { tiles } from './styles/tiles.ts';

export const styles = {
  blossom,
  brushwork,
  city,
  guilloche,
  lowPoly,
  marbling,
  stainedGlass,
  tiles,
} satisfies Record<string, Style>;

export type StyleName = keyof typeof styles;
