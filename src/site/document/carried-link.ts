import type { DocumentData, SiteLink } from './document-data.ts';

/** Much more than a post's address has. What is longer stays on its page: every link of the page would repeat it. */
const maxLength = 200;

/**
 * The layout of a downloader page that shows a link's result: its links to the other downloader pages and languages
 * carry the link along. Such a page must not be indexed: it has no canonical address, so that visitors share the
 * address with the link.
 */
export function carryLink(page: DocumentData, search: URLSearchParams): DocumentData {
  const link = search.get('url') ?? '';
  const addresses = { ...page.addresses, canonical: null };
  if (link === '' || link.length > maxLength) return { ...page, addresses };
  const query = `?${new URLSearchParams({ url: link })}`;
  const tools: ReadonlySet<string> = new Set(page.tools.map(({ href }) => href));
  const carry = <T extends SiteLink>(item: T): T => ({
    ...item,
    href: tools.has(item.href) ? item.href + query : item.href,
    children: item.children.map(carry),
  });
  return {
    ...page,
    menu: page.menu.map(carry),
    tools: page.tools.map(carry),
    footer: page.footer.map((column) => ({ ...column, links: column.links.map(carry) })),
    addresses: {
      ...addresses,
      // A language without this page gets its home page, which takes links as well; another site does not.
      languages: addresses.languages.map((language) =>
        language.href.startsWith('/') ? { ...language, href: language.href + query } : language,
      ),
    },
  };
}
