import type { Output } from '../../../contract/basics/operation.ts';
import type { briefOperations } from '../../../contract/projects/briefs.ts';

type Template = Omit<Output<typeof briefOperations.listTemplates>['templates'][number], 'examples'>;

/** Briefs to start from. A poster replaces each text in square brackets. The first specialization selects the examples. */
export const TEMPLATES: readonly Template[] = [
  {
    id: 'logo',
    name: 'Logo',
    summary: 'A mark or wordmark that works small and in one color',
    brief: {
      title: 'Logo for [name], a [kind of company]',
      description:
        '[Name] is a [kind of company] for [audience]. We need a logo for our website, invoices, and signs.\n\nThe logo should feel [three adjectives]. People should think of [idea] when they see it.\n\nAvoid: [symbols, clichés, or colors that you do not want].',
      requirements:
        'The name is spelled exactly: [name].\nOne logo, centered, on a plain white background.\nReadable at 32 px wide and in one color.\nNo mock-ups, no stock symbols, no gradients.',
      specializations: ['logo-design'],
      item_count: 1,
      size_requirements: 'Square, 1024 × 1024 px or larger',
      color_preferences: [],
      tags: ['logo'],
    },
  },
  {
    id: 'illustration',
    name: 'Illustration',
    summary: 'One drawn scene for an article, a page, or a book',
    brief: {
      title: 'Illustration of [subject] for [where it appears]',
      description:
        'The illustration appears [on a page, in an article, in a book] about [topic]. Readers are [audience].\n\nScene: [who or what is in it, what happens, where, at what time of day].\n\nMood: [three adjectives]. Style: [flat, hand-drawn, painted, line art].\n\nAvoid: [what must not appear].',
      requirements:
        'One scene, no text in the picture.\nThe main subject is recognizable at 300 px wide.\nLeave calm space [at the left, at the top] for a headline.',
      specializations: ['illustration'],
      item_count: 1,
      size_requirements: 'Landscape 3:2, at least 1500 × 1000 px',
      color_preferences: [],
      tags: ['illustration'],
    },
  },
  {
    id: 'product-photo',
    name: 'Product picture',
    summary: 'A product in its setting that looks like a photograph',
    brief: {
      title: 'Product picture of [product] in [setting]',
      description:
        'We sell [product] to [audience]. The picture is for [shop page, advertisement, catalog].\n\nThe product: [shape, material, color, size, label]. The attached reference pictures show it.\n\nSetting: [surface, surroundings, light, time of day]. The product fills about [half] of the picture.\n\nAvoid: [other brands, people, props].',
      requirements:
        'Looks like a photograph: true proportions, one direction of light, soft shadows.\nThe product matches the reference pictures in shape and color.\nNo added text, logos, or watermarks.',
      specializations: ['product-mockup', 'photorealism'],
      item_count: 1,
      size_requirements: 'Portrait 4:5, at least 1200 × 1500 px',
      color_preferences: [],
      tags: ['product'],
    },
  },
  {
    id: 'poster',
    name: 'Event poster',
    summary: 'One strong image with the facts of an event',
    brief: {
      title: 'Poster for [event] in [place]',
      description:
        '[Event] takes place on [date] at [time] in [place]. The audience is [audience].\n\nThe poster hangs [in the street, in cafés] and is read from three meters. It should make people [feel or do what].\n\nMain image: [idea, or leave it to the designer]. Mood: [three adjectives].\n\nAvoid: [what must not appear].',
      requirements:
        'These texts, spelled exactly: [title], [date and time], [place], [web address].\nThe title is the largest text. All text is readable at half the size.\nA margin of at least 4% on each side.',
      specializations: ['poster-design'],
      item_count: 1,
      size_requirements: 'Portrait, A-series format (1:1.414), at least 1414 × 2000 px',
      color_preferences: [],
      tags: ['poster', 'event'],
    },
  },
  {
    id: 'book-cover',
    name: 'Book cover',
    summary: 'A cover that tells the genre and works as a thumbnail',
    brief: {
      title: 'Cover of the [genre] book “[title]”',
      description:
        'The book: [two sentences about the story or topic]. Its readers like [comparable books or authors].\n\nThe cover should promise [feeling]. It should look at home beside other [genre] books, and still stand out.\n\nIdeas for the image: [scene, object, symbol], or leave it to the designer.\n\nAvoid: [spoilers, faces, clichés].',
      requirements:
        'These texts, spelled exactly: [title], [subtitle], [author].\nThe title is readable at 160 px wide.\nThe front cover only, no mock-up.',
      specializations: ['book-cover-design'],
      item_count: 1,
      size_requirements: 'Portrait 1:1.6, at least 1250 × 2000 px',
      color_preferences: [],
      tags: ['book', 'cover'],
    },
  },
  {
    id: 'icon-set',
    name: 'Icon set',
    summary: 'Several icons that share one grid and one style',
    brief: {
      title: 'Set of [6] icons for [app or website]',
      description:
        '[App or website] helps [audience] to [purpose]. The icons appear [in the menu, on buttons, in the documentation].\n\nThe icons, in this order: 1. [search], 2. [settings], 3. [profile], 4. [messages], 5. [files], 6. [help].\n\nStyle: [outlined or filled], [rounded or square] corners, [friendly, technical, playful].\n\nAvoid: [text in icons, shadows].',
      requirements:
        'One icon for each picture, centered, with equal space around it.\nAll icons share one grid, one stroke width, and one corner radius.\nRecognizable at 24 px, on a plain white background.',
      specializations: ['icon-design'],
      item_count: 6,
      size_requirements: 'Square, 1024 × 1024 px each',
      color_preferences: [],
      tags: ['icons'],
    },
  },
  {
    id: 'pattern',
    name: 'Seamless pattern',
    summary: 'A tile that repeats without a visible edge',
    brief: {
      title: 'Seamless pattern of [motif] for [product]',
      description:
        'The pattern is printed on [fabric, wallpaper, wrapping paper] for [audience].\n\nMotif: [plants, shapes, objects]. Density: [loose or dense]. Scale: the largest element takes about [a fifth] of the tile.\n\nMood: [three adjectives]. Style: [hand-drawn, geometric, vintage].\n\nAvoid: [motifs or colors that you do not want].',
      requirements:
        'The tile repeats without a visible edge in both directions.\nAt most [5] colors, including the background.\nNo text and no signature.',
      specializations: ['pattern-design'],
      item_count: 1,
      size_requirements: 'Square, 2048 × 2048 px',
      color_preferences: [],
      tags: ['pattern'],
    },
  },
  {
    id: 'social-media',
    name: 'Social media graphics',
    summary: 'Posts of one campaign that look like one family',
    brief: {
      title: 'Set of [3] social media posts for [campaign]',
      description:
        '[Company] announces [offer, product, event] to [audience] on [networks].\n\nPost 1: [message]. Post 2: [message]. Post 3: [message].\n\nThe posts should look like one family: the same type, colors, and layout. Mood: [three adjectives].\n\nAvoid: [what must not appear].',
      requirements:
        'These texts, spelled exactly: [text of post 1], [text of post 2], [text of post 3].\nOne picture for each post.\nAll text is readable on a phone.',
      specializations: ['social-media-graphics'],
      item_count: 3,
      size_requirements: 'Square, 1080 × 1080 px each',
      color_preferences: [],
      tags: ['social media'],
    },
  },
];
