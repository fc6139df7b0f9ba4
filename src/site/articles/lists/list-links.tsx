import { Link } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import { categoryIcons } from '../cards/cards.ts';
import type { Pagination, Topic } from './blog-request.ts';

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

/** Links between the pages of a list. */
export function PagesNav({ pagination }: { pagination: Pagination | null }) {
  if (pagination === null) return null;
  const { label, previous, next, pages } = pagination;
  return (
    <nav className="pages-nav" aria-label={label}>
      {previous !== null && (
        <Link className="pages-step" to={previous.href} rel="prev">
          <span className="pages-back">
            <Icon name="arrow" mirrored />
          </span>
          {previous.text}
        </Link>
      )}
      <ol>
        {pages.map((page) => (
          <li key={page.number} className={page.afterGap ? 'pages-after-gap' : undefined}>
            <Link to={page.href} aria-label={page.label} aria-current={page.isPresent ? 'page' : undefined}>
              {page.text}
            </Link>
          </li>
        ))}
      </ol>
      {next !== null && (
        <Link className="pages-step" to={next.href} rel="next">
          {next.text}
          <Icon name="arrow" mirrored />
        </Link>
      )}
    </nav>
  );
}

interface FeedLinkProps {
  readonly text: string;
  readonly title: string;
  /** Prefix of the feeds' file names. */
  readonly base: string;
}

/** The feed of the page's language: a link to see, and one for feed readers in the head. */
export function FeedLink({ text, title, base }: FeedLinkProps) {
  return (
    <>
      <link rel="alternate" type="application/rss+xml" title={title} href={`${base}feed.xml`} />
      <link rel="alternate" type="application/atom+xml" title={title} href={`${base}atom.xml`} />
      <link rel="alternate" type="application/feed+json" title={title} href={`${base}feed.json`} />
      <a className="feed-link" href={`${base}feed.xml`}>
        {text}
      </a>
    </>
  );
}
