import { Link } from 'react-router';
import type { Install } from '../browser/install-prompt.ts';
import type { Card } from './card.ts';

interface CardLinkProps {
  readonly card: Card;
  readonly install: Install;
}

/** A card's title, which leads where the card leads: within the site, to another one in a new tab, or to the browser's question. */
export function CardLink({ card: { id, type, href, title }, install }: CardLinkProps) {
  const shared = {
    className: 'side-card-title',
    'aria-describedby': `${id}-label ${id}-about`,
    'data-vars-banner': 'open',
    draggable: false,
  };
  if (href === null)
    return (
      <button type="button" {...shared} onClick={() => void install?.()}>
        {title}
      </button>
    );
  if (href.startsWith('/'))
    return (
      <Link {...shared} to={href}>
        {title}
      </Link>
    );
  return (
    <a {...shared} href={href} target="_blank" rel={type === 'ad' ? 'sponsored noopener' : 'noopener'}>
      {title}
    </a>
  );
}
