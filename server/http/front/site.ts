import { operations } from '../../../contract/operations.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { Deps } from '../../deps.ts';

/** The facts about this service that its public texts name. */
export type Site = {
  /** The name that people read. */
  title: string;
  /** The name that programs use: lower-case letters, digits, and hyphens. */
  token: string;
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
    title: config.site.name,
    token: config.serviceName,
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

/** Returns the request line of an operation, such as `POST /agents/create`. The operation table is its only source. */
export function requestLine(id: keyof typeof operations): string {
  const { method, path }: OperationSpec = operations[id];
  return `${method.toUpperCase()} ${path}`;
}
