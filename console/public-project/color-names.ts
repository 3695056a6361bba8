/** Color names that briefs use and CSS does not have. */
const NAMES: Record<string, string> = {
  amber: '#ffbf00',
  apricot: '#fbceb1',
  blush: '#de9fa5',
  bronze: '#cd7f32',
  burgundy: '#800020',
  cerulean: '#2a7fba',
  champagne: '#f7e7ce',
  charcoal: '#36454f',
  clay: '#b66a50',
  cobalt: '#0047ab',
  copper: '#b87333',
  cream: '#fffdd0',
  emerald: '#50c878',
  jade: '#00a86b',
  lilac: '#c8a2c8',
  mint: '#98ff98',
  moss: '#8a9a5b',
  mustard: '#e1ad01',
  ochre: '#cc7722',
  peach: '#ffdab9',
  petrol: '#005f6a',
  rose: '#e8909c',
  ruby: '#9b111e',
  rust: '#b7410e',
  sage: '#9caf88',
  sand: '#d9c7a0',
  sapphire: '#0f52ba',
  terracotta: '#e2725b',
};

/** Words before a color name, and the color that changes it. */
const SHADES: Record<string, string> = {
  bright: 'white 10%',
  dark: 'black 40%',
  deep: 'black 40%',
  light: 'white 50%',
  muted: 'gray 40%',
  pale: 'white 65%',
  soft: 'white 40%',
  warm: 'orange 15%',
};

/** Returns the CSS color of a name that a poster typed, such as `deep blue`, or null for an unknown name. */
export function colorOf(typed: string): string | null {
  const name = typed.trim().toLowerCase();
  if (CSS.supports('color', name)) return name;
  const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (known !== undefined) return known;
  const [shade = '', ...rest] = name.split(/[\s-]+/);
  if (rest.length === 0) return null;
  const joined = [shade, ...rest].join('');
  if (CSS.supports('color', joined)) return joined;
  const base = colorOf(rest.join(' '));
  return base !== null && Object.hasOwn(SHADES, shade) ? `color-mix(in oklab, ${base}, ${SHADES[shade]})` : null;
}
