// The server writes these attributes into the page.
const about = () => document.documentElement.dataset;

export function serviceName(): string {
  return about()['site'] ?? '';
}

/** Returns the path of the operator's logo, if any. */
export function logo(): string | undefined {
  return about()['logo'];
}

/** Returns whether the money of this service is test money. */
export function isTestNetwork(): boolean {
  return about()['network'] === 'test';
}

/** Returns the host of the operators' identity provider, on pages of the operator; null without one. */
export function providerHost(): string | null {
  return about()['provider'] ?? null;
}
