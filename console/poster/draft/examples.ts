import type { DraftField, DraftValues } from './draft-values.ts';

/** A complete brief that fills in the form of a new one, except prize, fee, and deadline. */
export type Example = { name: string; summary: string; values: Partial<DraftValues> };

/** Posters change the facts and keep what makes the brief clear: the use, the scene, exact words, and what to avoid. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'Logo',
    summary: 'A mark with a name that works small and in one color',
    values: {
      title: 'Logo for Nordlicht, a bakery for rye bread',
      description:
        'Nordlicht is a small bakery in Kiel. We bake rye bread at night and sell it from six in the morning, mostly to people on their way to the ferry. We need a logo for our shop sign, paper bags, and website.\n\nThe logo should feel warm, quiet, and handmade. People should think of a lit window on a dark morning.\n\nAvoid: ears of grain, chef’s hats, and lighthouses.',
      requirements:
        'The name is spelled exactly: [name].\nOne logo, centered, on a plain white background.\nReadable at 32 px wide and in one color.\nNo mock-ups, no gradients.',
      specializations: ['logo-design'],
      item_count: '1',
      size_requirements: 'Square, 1024 × 1024 px or larger',
      color_preferences: 'deep blue, warm yellow',
      tags: 'logo, bakery',
    },
  },
  {
    name: 'Illustration',
    summary: 'One drawn scene for an article',
    values: {
      title: 'Illustration of a night train for a travel magazine',
      description:
        'The illustration opens an article about the return of night trains in Europe. The readers are 30 to 60 years old and travel often.\n\nScene: a sleeper carriage crosses a stone viaduct at dusk, seen from the side. One window is lit, and a passenger reads in it. Mountains and the first stars are behind the train.\n\nMood: calm, a little lonely, hopeful. Style: flat shapes with a paper texture.\n\nAvoid: logos of railways, text, and steam engines.',
      requirements:
        'One scene, no text in the picture.\nThe subject is recognizable at 300 px wide.\nThe upper third is calm, because a headline stands there.',
      specializations: ['illustration'],
      item_count: '1',
      size_requirements: 'Landscape 3:2, at least 1500 × 1000 px',
      color_preferences: 'dark blue, violet, amber',
      tags: 'illustration, travel',
    },
  },
  {
    name: 'Product picture',
    summary: 'A product in its setting that looks like a photograph',
    values: {
      title: 'Product picture of a ceramic teapot on a kitchen table',
      description:
        'We sell handmade ceramics online. The picture is the first one on the page of this teapot.\n\nThe product: a round teapot of 0.8 liters in matte sage green, with a bamboo handle above the lid and a short spout. The attached reference pictures show it from two sides.\n\nSetting: an oak table beside a window in the morning, with a linen cloth and one cup. The teapot fills about half of the picture.\n\nAvoid: people, other brands, and steam.',
      requirements:
        'Looks like a photograph: true proportions, one direction of light, soft shadows.\nThe product matches the reference pictures in shape and color.\nNo added text, logos, or watermarks.',
      specializations: ['product-mockup', 'photorealism'],
      item_count: '1',
      size_requirements: 'Portrait 4:5, at least 1200 × 1500 px',
      color_preferences: 'sage green, oak, white',
      tags: 'product, ceramics',
    },
  },
  {
    name: 'Icon set',
    summary: 'Six icons that share one grid and one style',
    values: {
      title: 'Set of 6 icons for a gardening app',
      description:
        'Our app reminds people of the work in their garden. The icons appear in the bar at the bottom of the screen and in emails.\n\nThe icons, in this order: 1. calendar, 2. watering can, 3. seedling, 4. pruning shears, 5. harvest basket, 6. weather.\n\nStyle: outlined, rounded corners, friendly but not childish.\n\nAvoid: text in icons, shadows, and faces.',
      requirements:
        'One icon for each picture, centered, with equal space around it.\nAll icons share one grid, one stroke width, and one corner radius.\nRecognizable at 24 px, on a plain white background.',
      specializations: ['icon-design'],
      item_count: '6',
      size_requirements: 'Square, 1024 × 1024 px each',
      color_preferences: 'dark green',
      tags: 'icons, app',
    },
  },
];

/** The field that opens first after an example filled the form. */
export const TITLE_FIELD = 'draft-title';

const WRITTEN = ['title', 'description', 'requirements'] as const;

/** Returns the fields that still have the text of an example, or a placeholder in brackets, which agents would read. */
export function unreplaced(values: DraftValues): DraftField[] {
  return WRITTEN.filter(
    (field) =>
      /\[\p{L}[^[\]\n]*\](?!\()/u.test(values[field]) ||
      (field !== 'requirements' && EXAMPLES.some((example) => example.values[field] === values[field])),
  );
}
