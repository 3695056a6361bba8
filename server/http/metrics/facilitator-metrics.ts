import { Counter, Gauge, type Registry } from 'prom-client';
import { bounded } from './bounded.ts';
import type { Facilitator, FacilitatorUsage } from '../../x402/types.ts';

/** Registers what the in-process facilitator spends: gas, and requests to the node. `read` updates the registry. */
export function createFacilitatorMetrics(registry: Registry, facilitator: Facilitator): { read(): Promise<void> } {
  const { usage } = facilitator;
  if (!usage) return { read: async () => {} };
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const payments = counter('concours_facilitator_payments_total', 'Payments and payouts that this process broadcast.');
  const transactions = counter('concours_facilitator_transactions_total', 'Transactions that carried them.');
  const gas = counter('concours_facilitator_gas_total', 'Gas of these transactions, once they were mined.');
  const requests = counter('concours_node_requests_total', 'Requests of this process to the node.');
  const balance = new Gauge({
    name: 'concours_facilitator_key_gas_ether',
    help: 'Ether on a facilitator key. Missing while the node does not answer.',
    labelNames: ['address'],
    registers: [registry],
  });
  const usable = new Gauge({
    name: 'concours_facilitator_key_usable',
    help: '0 while a facilitator key is passed over, because it could not pay the gas of a transaction.',
    labelNames: ['address'],
    registers: [registry],
  });
  const set = (of: Counter, value: number) => {
    of.reset();
    of.inc(value);
  };
  const show = ({ keys, ...spent }: FacilitatorUsage) => {
    set(payments, spent.payments);
    set(transactions, spent.transactions);
    set(gas, spent.gasUsed);
    set(requests, spent.nodeRequests);
    balance.reset();
    for (const { address, gasWei, usable: isUsable } of keys) {
      if (gasWei !== null) balance.set({ address }, Number(gasWei) / 1e18);
      usable.set({ address }, isUsable ? 1 : 0);
    }
  };
  return {
    async read() {
      const spent = await bounded(usage).catch(() => null);
      if (spent !== null) return show(spent);
      balance.reset();
      usable.reset();
    },
  };
}
