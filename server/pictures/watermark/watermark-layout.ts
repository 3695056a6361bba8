/** Where the marks are. */
export type Layout = {
  /** From the start of one digit to the next in its line. */
  step: number;
  /** From the top of one line of digits to the next. */
  lead: number;
  /** The digits of a line. A mark can have several lines. */
  columns: number;
  glyphWidth: number;
  glyphHeight: number;
  markWidth: number;
  markHeight: number;
  /** `left` and `top` can be negative: marks at the edges are cut. */
  places: { left: number; top: number }[];
};

/** The parts of a layout that decide what a crop contains. */
type Mark = Omit<Layout, 'places'>;
type Grid = {
  mark: Mark;
  /** The distances between marks in a row, and between rows. */
  across: number;
  down: number;
  /** Each row is shifted by a further part of `across`, so that a few rows together have a mark almost everywhere. */
  shifts: number;
  /** The rows are columns, and each column is shifted down. */
  turned: boolean;
};
type Size = { width: number; height: number };

// In large pictures, a row has this many steps, and a column too.
const STEPS_ACROSS = 44;
const STEPS_DOWN = 10;
const ROOMY_ROWS = 2.2;
const ROOMY_SHIFTS = 5;
const MOST_SHIFTS = 8;
// Smaller digits are not readable. They must be readable in the thumbnail, which is the marked preview in a smaller size.
const LEAST_STEP = 5;
const THUMBNAIL_SIDE = 400;

/**
 * Returns the places of marks that cover a picture, such that each quarter shows a whole mark, wherever the pixels allow
 * it. Decision 0193 has the bounds. Both sizes of a picture show the same marks at the same places.
 */
export function layoutOf(width: number, height: number, digits: number): Layout {
  const size = { width, height };
  const halves = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const column = { width: Math.floor(width / 4), height };
  const row = { width, height: Math.floor(height / 4) };
  const grid =
    largest(size, digits, [halves, column, row]) ??
    largest(size, digits, [halves, column]) ??
    largest(size, digits, [halves]) ??
    roomy(markOf(LEAST_STEP, 1, digits));
  return { ...grid.mark, places: placesOf(grid, size) };
}

/** Returns the grid with the largest digits that shows a whole mark in every crop of these sizes; null if none does. */
function largest({ width, height }: Size, digits: number, crops: Size[]): Grid | null {
  const usual = Math.floor(Math.min(width / STEPS_ACROSS, height / STEPS_DOWN));
  const readable = Math.ceil((LEAST_STEP * Math.max(width, height)) / THUMBNAIL_SIDE);
  for (let step = Math.max(usual, readable, LEAST_STEP); step >= LEAST_STEP; step -= 1)
    for (const grid of gridsOf(step, digits)) if (crops.every((crop) => isInEvery(grid, crop))) return grid;
  return null;
}

/** Yields the grids of a size of digits: marks in one line with much room first. */
function* gridsOf(step: number, digits: number): Generator<Grid> {
  yield roomy(markOf(step, 1, digits));
  for (let lines = 1; lines <= digits; lines *= 2) {
    const mark = markOf(step, lines, digits);
    const [across, down] = [mark.markWidth + step, mark.markHeight + step];
    for (let shifts = 1; shifts <= MOST_SHIFTS; shifts += 1)
      for (const turned of [false, true]) yield { mark, across, down, shifts, turned };
  }
}

function roomy(mark: Mark): Grid {
  const down = Math.round(mark.glyphHeight * ROOMY_ROWS);
  return { mark, across: mark.markWidth + mark.step, down, shifts: ROOMY_SHIFTS, turned: false };
}

function markOf(step: number, lines: number, digits: number): Mark {
  const columns = Math.ceil(digits / lines);
  const [glyphWidth, glyphHeight] = [Math.round(step * 0.68), Math.round(step * 1.3)];
  const lead = glyphHeight + Math.max(2, Math.round(step * 0.4));
  const markWidth = step * (columns - 1) + glyphWidth;
  const markHeight = lead * (lines - 1) + glyphHeight;
  return { step, lead, columns, glyphWidth, glyphHeight, markWidth, markHeight };
}

/** Returns whether a crop of this size contains a whole mark, wherever it is. */
function isInEvery({ mark, across, down, shifts, turned }: Grid, { width, height }: Size): boolean {
  const [along, wide] = turned ? [height, width] : [width, height];
  const [length, breadth] = turned ? [mark.markHeight, mark.markWidth] : [mark.markWidth, mark.markHeight];
  const [period, apart] = turned ? [down, across] : [across, down];
  const wholeRows = Math.floor((wide - breadth + 1) / apart);
  const fits = (rows: number) => wholeRows >= rows && length + Math.ceil(period / rows) - 1 <= along;
  return fits(1) || fits(shifts);
}

function placesOf({ mark, across, down, shifts, turned }: Grid, { width, height }: Size): Layout['places'] {
  const [period, apart] = turned ? [down, across] : [across, down];
  const [along, wide] = turned ? [height, width] : [width, height];
  // An odd number of shifts is passed in steps of two, so that neighbors are not a staircase.
  const pace = shifts % 2 === 1 ? 2 : 1;
  const places: Layout['places'] = [];
  for (let row = 0, at = Math.round(mark.glyphHeight * 0.3); at < wide; row += 1, at += apart) {
    const shift = Math.round((((row * pace) % shifts) / shifts) * period);
    for (let start = shift - period; start < along; start += period)
      places.push(turned ? { left: at, top: start } : { left: start, top: at });
  }
  return places;
}
