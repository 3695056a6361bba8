type Described = {
  title: string;
  description: string;
  path: string | null;
  type: 'website' | 'profile';
  picture: string | null;
};

/**
 * Returns the page's data for search engines (schema.org) as a script element; none for pages that they leave out.
 * Browsers do not run such an element, so the content security policy does not concern it.
 */
export function structuredData(head: Described, siteName: string, publicUrl: string): string[] {
  const { title, description, path, picture, type } = head;
  if (path === null) return [];
  const isHome = path === '/';
  const data = {
    '@context': 'https://schema.org',
    '@type': isHome ? 'WebSite' : type === 'profile' ? 'ProfilePage' : 'WebPage',
    name: isHome ? siteName : title,
    description,
    url: publicUrl + path,
    ...(picture === null ? {} : { image: publicUrl + picture }),
    ...(isHome ? {} : { isPartOf: { '@type': 'WebSite', name: siteName, url: `${publicUrl}/` } }),
  };
  // Strangers write titles, and `</script>` would end the element.
  return [`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`];
}
