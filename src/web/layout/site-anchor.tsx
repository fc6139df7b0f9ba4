import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { usePrefetch } from '../browser/navigation/prefetch.ts';
import type { SiteLink } from '../document/document-data.ts';

/**
 * A configured link: inside the site without loading a whole page, outside it as it is.
 * @param props.children what stands behind its text
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
      // Fetched beforehand, a link that carries a post's would have the server look that post up.
      prefetch={newTab || href.includes('?') ? 'none' : prefetch}
    >
      {text}
      {children}
    </Link>
  );
}
