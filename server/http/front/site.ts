import { operations } from '../../../contract/operations.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { Deps } from '../../deps.ts';

/** The facts about this service that its public texts name. */
export type Site = {
  title: string;
  publicUrl: string;
  /** `{base_url}`: the address of the API. */
  apiUrl: string;
  development: boolean;
  contactUrl: string | null;
  networkName: string;
  networkId: string;
  usdcAddress: string;
  limits: Deps['config']['limits'];
};

/** Collects the facts of a service. */
export function siteOf({ config, publicUrl, network }: Pick<Deps, 'config' | 'publicUrl' | 'network'>): Site {
  return {
    title: titleOf(config.serviceName),
    publicUrl,
    apiUrl: `${publicUrl}/api/v1`,
    development: config.development,
    contactUrl: config.legal.contactUrl,
    networkName: network.v1Name,
    networkId: network.id,
    usdcAddress: network.usdc.address,
    limits: config.limits,
  };
}

/** Returns `some-brand` in the form that people read. */
export function titleOf(serviceName: string): string {
  return serviceName
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
}

/** Returns the request line of an operation, such as `POST /agents/create`. The operation table is its only source. */
export function requestLine(id: keyof typeof operations): string {
  const { method, path }: OperationSpec = operations[id];
  return `${method.toUpperCase()} ${path}`;
}
