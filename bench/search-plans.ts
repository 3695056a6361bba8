import { parseArgs } from 'node:util';
import { compareSizes } from './search-sizes.ts';

// Measures what a search costs at two sizes of the marketplace, and prints its plans:
//   node bench/search-plans.ts [--small 10000] [--large 1000000] [--plans] [--url postgres://…]
// Without --url, it starts an embedded PostgreSQL and removes it afterwards. With --url, it keeps the databases
// search_small and search_large on that server, so that a second run can skip seeding.

const { values: options } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    plans: { type: 'boolean', default: false },
    url: { type: 'string' },
  },
});

const comparisons = await compareSizes({
  small: Number(options.small),
  large: Number(options.large),
  serverUrl: options.url,
  onPlan: options.plans ? (plan) => console.log(plan) : undefined,
});
console.log(
  'median ms of a page of 20 (its rows), the large side as a ratio to the small one, per order and direction',
);
for (const { name, cases } of comparisons) {
  const lines = cases.map(
    ({ order, direction, smallMs, largeMs, rows }) =>
      `    ${order} ${direction} ${smallMs.toFixed(2)}→${largeMs.toFixed(2)} (${rows}) ${(largeMs / smallMs).toFixed(2)}`,
  );
  console.log([name, ...lines].join('\n'));
}
