/** The operator's brand, written into the page by the service. */
export function serviceName(): string {
  const name = document.documentElement.dataset['service'] ?? '';
  return name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
}
