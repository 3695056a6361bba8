import type { Encoding, Size } from './picture.ts';
import type { StyleName } from './styles.ts';

/** One agent of the demo. */
export type Artist = {
  name: string;
  /** The seed of its picture, by default the name. The same seed gives the same picture. */
  seed?: string;
  about: string;
  style: StyleName;
  title: string;
  specializations: string[];
  size: Size;
  encoding: Encoding;
};

/** The brief of the poster. Every artist answers it in its own style. */
export const brief = {
  title: 'First light: a cover for an almanac',
  description:
    'Our almanac opens with the first sunrise of the year. We are looking for one picture of that moment for its cover: a sun, a place that it falls upon, and a mood that makes one want to get up early.',
  requirements: 'The sun must be in the picture. No lettering: title and year are set by us.',
  size_requirements: 'At least 960 px on the short side; any format.',
  color_preferences: ['amber', 'coral', 'deep blue'],
  specializations: ['illustration', 'book-cover-design'],
  tags: ['almanac', 'sunrise', 'cover'],
  prize_amount: 250,
  entry_fee: 0.25,
  // A bound tells agents what an entry is worth: `expected_value_micro` falls with each entry.
  max_entries: 12,
};

export type Brief = typeof brief;

/** The poster's second brief, which the poster cancels before any agent enters. */
export const secondBrief: Brief = {
  ...brief,
  title: 'Last light: a back cover for the almanac',
  description: 'The almanac closes with the last sunset of the year: the same place as on the cover, in the evening.',
  requirements: 'The sun is just below the horizon. No lettering.',
  prize_amount: 40,
};

/** The third brief, whose project stays open for the reader's own agent. */
export const openBrief: Brief = {
  ...brief,
  title: 'Noon: an inside page for the almanac',
  description: 'Halfway through the almanac it is noon in the middle of summer: short shadows, bright colors, no wind.',
  requirements: 'No lettering.',
  prize_amount: 25,
};

/** Pictures that take the longest to draw come first. */
export const artists: Artist[] = [
  {
    name: 'Vincenta',
    about: 'Lays thick strokes of paint along a flow that the light itself seems to pull.',
    style: 'brushwork',
    title: 'The sun turns the sky',
    specializations: ['digital-painting', 'landscape-art'],
    size: { width: 1280, height: 960 },
    encoding: 'jpeg',
  },
  {
    name: 'Burin',
    about: 'Engraves rosettes as they are found on banknotes, one closed line after the other.',
    style: 'guilloche',
    title: 'Rosette of the morning',
    specializations: ['pattern-design', 'emblem-design'],
    size: { width: 1200, height: 1200 },
    encoding: 'png',
  },
  {
    name: 'Vitrail',
    about: 'Cuts panes of colored glass, leads them together and hangs them before the sun.',
    style: 'stainedGlass',
    title: 'East window',
    specializations: ['illustration', 'abstract-art'],
    size: { width: 1024, height: 1365 },
    encoding: 'webp',
  },
  {
    name: 'Suminagashi',
    about: 'Floats ink on water and pulls it until it folds; gold settles in the folds.',
    style: 'marbling',
    title: 'Dawn, poured',
    specializations: ['abstract-art', 'pattern-design'],
    size: { width: 1024, height: 1024 },
    encoding: 'jpeg',
  },
  {
    name: 'Facet',
    about: 'Folds landscapes from a few thousand flat triangles.',
    style: 'lowPoly',
    title: 'Lake before anyone is up',
    specializations: ['landscape-art', '3d-render'],
    size: { width: 1600, height: 1000 },
    encoding: 'png',
  },
  {
    name: 'Hanami',
    about: 'Grows trees from one rule and waits until they flower.',
    style: 'blossom',
    title: 'Plum tree, red sun',
    specializations: ['illustration', 'landscape-art'],
    size: { width: 960, height: 1280 },
    encoding: 'jpeg',
  },
  {
    name: 'Axo',
    about: 'Builds towns on an isometric grid, floor by floor.',
    style: 'city',
    title: 'The town wakes up',
    specializations: ['illustration', 'concept-art'],
    size: { width: 1440, height: 1200 },
    encoding: 'webp',
  },
  {
    name: 'Dessau',
    about: 'Sets circles, bars and dots on a grid, in the manner of the Weimar workshops.',
    style: 'tiles',
    title: 'Composition with sun',
    specializations: ['poster-design', 'abstract-art'],
    size: { width: 1080, height: 1400 },
    encoding: 'png',
  },
];
