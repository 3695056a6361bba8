import uPlot from 'uplot';

const GROUP_SHARE = 0.7;
const MOST_BAR_PX = 64;
/** The value of `unit` for positions on the scale. uPlot declares it as a const enum, which no module exports. */
const ON_SCALE = 1;

/** Draws the bars of each series beside those of the others. uPlot would center all of them on the same place. */
export function barsBeside(index: number, count: number): uPlot.Series.PathBuilder | undefined {
  return uPlot.paths.bars?.({
    radius: 0.15,
    disp: {
      x0: {
        unit: ON_SCALE,
        values: (plot) => {
          const left = (index - count / 2) * widthOf(plot, count);
          return Array.from(plot.data[0], (x) => x + left);
        },
      },
      size: { unit: ON_SCALE, values: (plot) => [widthOf(plot, count)] },
    },
  });
}

/** The width of one of `count` bars, in units of the scale. */
function widthOf(plot: uPlot, count: number): number {
  const widest = plot.posToVal(MOST_BAR_PX, 'x') - plot.posToVal(0, 'x');
  return Math.min((stepOf(plot.data[0]) * GROUP_SHARE) / count, widest);
}

/** Returns the least distance between two places. */
export function stepOf(places: ArrayLike<number>): number {
  const steps = Array.from(places, (place, index) => place - (places[index - 1] ?? Number.NEGATIVE_INFINITY));
  const least = Math.min(...steps);
  return Number.isFinite(least) ? least : 1;
}
