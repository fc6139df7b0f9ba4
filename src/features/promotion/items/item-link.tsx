import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { SizedPicture } from '../../../site/ui/sized-picture.tsx';
import { useInstall } from '../browser/install-prompt.ts';
import type { Promoted } from './page-items.ts';

interface ItemLinkProps {
  readonly item: Promoted;
  readonly className: string;
  readonly 'aria-describedby'?: string;
  readonly children: ReactNode;
}

/**
 * Leads where an item leads: within the site, to another one in a new tab, or to the browser's question. Statistics
 * recognise it by its attribute.
 */
export function ItemLink({ item: { href, type, lang }, ...rest }: ItemLinkProps) {
  const install = useInstall();
  const link = { ...rest, lang, draggable: false, 'data-vars-banner': 'open' };
  if (href === null) return <button type="button" {...link} onClick={() => install?.()} />;
  if (href.startsWith('/')) return <Link {...link} to={href} />;
  return <a {...link} href={href} target="_blank" rel={type === 'ad' ? 'sponsored noopener' : 'noopener'} />;
}

/** An item's picture, or something else until it is made. @param alt empty beside an equivalent text */
export function ItemPicture({ item, alt, children }: { item: Promoted; alt: string; children: ReactNode }) {
  const { picture, width, height } = item;
  if (picture === null) return children;
  return <SizedPicture sizes={`${width}px`} {...{ picture, width, height, alt }} draggable={false} />;
}
