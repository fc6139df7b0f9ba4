import { Link } from 'react-router';
import type { Author } from '../../content/content.ts';
import { linkTo } from '../addressing/addresses.ts';
import { siteHas } from '../addressing/site-pages.ts';
import type { PageContext } from '../loaders/page-context.ts';
import { CoverPicture } from './cards/article-cards.tsx';

/** An author as pages show them. */
export type ShownAuthor = ReturnType<typeof toShownAuthor>;

/** An author made ready for {@link AuthorBox}. */
export function toShownAuthor(author: Author, { services, address }: PageContext) {
  const { configuration } = services;
  const { locale } = address;
  return {
    name: author.name,
    /** Path of the author's page; null in a language without one. */
    href: siteHas(configuration, 'author', locale)
      ? linkTo(configuration, locale, `author/${author.id}`)
      : null,
    paragraphs: author.bio.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== ''),
    picture: author.picture,
    links: author.links.map(({ text, url }) => {
      const page = url.slice(1);
      const isPage = url.startsWith('/') && siteHas(configuration, page, locale);
      return { text, href: isPage ? linkTo(configuration, locale, page) : url };
    }),
  };
}

/** The author of a text; the name is a heading, and a link unless this is the author's own page. */
export function AuthorBox(props: { author: ShownAuthor; isOwnPage?: boolean; level?: 2 | 3 }) {
  const { author, isOwnPage = false, level = 3 } = props;
  const Heading = `h${level}` as const;
  return (
    <div className="author-box">
      <div className="author-face" aria-hidden="true">
        {author.picture === null ? (
          <span>{[...author.name][0]?.toUpperCase()}</span>
        ) : (
          <CoverPicture picture={author.picture} sizes="4rem" />
        )}
      </div>
      <div className="author-words">
        {!isOwnPage && (
          <Heading>
            {author.href === null ? author.name : <Link to={author.href}>{author.name}</Link>}
          </Heading>
        )}
        {author.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {author.links.length > 0 && (
          <ul className="author-links">
            {author.links.map(({ text, href }) => (
              <li key={href}>
                {href.startsWith('/') ? (
                  <Link to={href}>{text}</Link>
                ) : (
                  <a href={href} rel="me noopener">
                    {text}
                  </a>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
