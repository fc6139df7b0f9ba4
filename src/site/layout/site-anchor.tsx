import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { usePrefetch } from '../browser/navigation/prefetch.ts';
import type { SiteLink } from '../document/document-data.ts';

/**
 * A configured link: client-side navigation inside the site, a plain link outside it.
 * @param props.children appended to its text
 */
export function SiteAnchor({ link, children }: { link: SiteLink; children?: ReactNode }) {
  const prefetch = usePrefetch();
  const { href, text, present, newTab, attributes } = link;
  const target = newTab ? { target: '_blank', rel: 'noopener' } : {};
  const isFile = /\.[a-z]+$/.test(href);
  if (!href.startsWith('/') || isFile) {
    return (
      <a href={href} {...attributes} {...target}>
        {text}
        {children}
      </a>
    );
  }
  return (
    <Link
      to={href}
      {...attributes}
      {...target}
      aria-current={present ? 'page' : undefined}
      // Not prefetched when it carries a post's link: the server would look that post up.
      prefetch={newTab || href.includes('?') ? 'none' : prefetch}
    >
      {text}
      {children}
    </Link>
  );
}
