/** Returns the display name of the service, from an attribute that the server writes into the page. */
export function serviceName(): string {
  const name = document.documentElement.dataset['service'] ?? '';
  return name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
}
