import { Link } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import { type CategoryLink, categoryIcons } from '../cards/cards.ts';

/** A category with its number of articles. */
export interface Topic extends CategoryLink {
  readonly count: string;
  readonly isPresent: boolean;
}

/** The categories as links. */
export function Topics({ label, topics }: { label: string; topics: readonly Topic[] }) {
  if (topics.length === 0) return null;
  return (
    <nav className="topics" aria-label={label}>
      <ul>
        {topics.map(({ name, href, count, place, isPresent }) => (
          <li key={href}>
            <Link to={href} aria-current={isPresent ? 'page' : undefined}>
              <Icon name={categoryIcons[place % categoryIcons.length] ?? 'globe'} />
              <span>{name}</span>
              <small>{count}</small>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
