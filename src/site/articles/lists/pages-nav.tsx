import { Link } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import type { Pagination } from './pagination.ts';

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
