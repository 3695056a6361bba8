import { measureSizes } from '../support/console/console-sizes.ts';

await measureSizes('fr');
