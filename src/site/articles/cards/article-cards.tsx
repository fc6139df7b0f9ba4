import { Link } from 'react-router';
import type { Picture } from '../../../content/content.ts';
import { HeadingText } from '../../ui/heading-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SizedPicture } from '../../ui/sized-picture.tsx';
import { type ArticleCard, categoryIcons } from './cards.ts';

/** A picture in the sizes and formats that were made of it, or a drawing. */
export function CoverPicture(props: { picture: Picture; sizes: string; isFirst?: boolean }) {
  const { picture, sizes, isFirst = false } = props;
  const { id, alt, width, height } = picture;
  const rest = { width, height, loading: isFirst ? 'eager' : 'lazy' } as const;
  if (picture.widths.length === 0)
    return <img src={`/pictures/${id}-${width}.svg`} alt={alt} decoding="async" {...rest} />;
  const src = `/pictures/${id}-${width}.jpg`;
  return <SizedPicture picture={picture} sizes={sizes} alt={alt} src={src} {...rest} />;
}

/** The picture of an article, or the sign of its category. */
function Cover({ card }: { card: ArticleCard }) {
  if (card.cover !== null) {
    return (
      <div className="card-cover">
        <CoverPicture picture={card.cover} sizes="(min-width: 60rem) 21rem, (min-width: 40rem) 45vw, 92vw" />
      </div>
    );
  }
  const place = card.category?.place ?? 0;
  return (
    <div className="card-cover">
      <CategorySign place={place} />
    </div>
  );
}

interface ArticleCardsProps {
  cards: readonly ArticleCard[];
  /** Stands in the place of a list without articles. */
  empty?: string;
  level?: 2 | 3;
  /** One below the other, without pictures. */
  isPlain?: boolean;
}

/** Articles side by side. */
export function ArticleCards({ cards, empty, level = 3, isPlain = false }: ArticleCardsProps) {
  const Heading = `h${level}` as const;
  if (cards.length === 0) return empty !== undefined && <p className="blog-empty">{empty}</p>;
  const words = ({ href, title, description, published }: ArticleCard) => (
    <>
      <Heading>
        <Link className={isPlain ? undefined : 'article-card-link'} to={href}>
          <HeadingText>{title}</HeadingText>
        </Link>
      </Heading>
      <p>{description}</p>
      <time dateTime={published.iso}>{published.text}</time>
    </>
  );
  if (isPlain)
    return (
      <ul className="article-rows">
        {cards.map((card) => (
          <li key={card.id}>{words(card)}</li>
        ))}
      </ul>
    );
  return (
    <ul className="article-cards">
      {cards.map((card) => (
        <li key={card.id} className="article-card">
          <Cover card={card} />
          <div className="article-card-text">
            {card.category !== null && (
              <Link className="article-card-category" to={card.category.href}>
                {card.category.name}
              </Link>
            )}
            {words(card)}
          </div>
        </li>
      ))}
    </ul>
  );
}

/**
 * A drawn category: the site's ferry with the category's sign on board. For articles without a cover, and above a
 * category's list.
 * @param place position among the top categories, which determines colour and icon
 */
export function CategorySign({ place }: { place: number }) {
  return (
    <div className={`category-sign category-sign-${place % 3}`}>
      <svg viewBox="0 0 480 240" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
        <circle className="category-sun" cx="352" cy="76" r="34" />
        <path
          className="category-swell"
          d="M-24 184c14-7 28-7 42 0s28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0V240H-24z"
        />
        <path className="category-hull" d="M134 166h212c-4 17-12 28-24 36H158c-12-8-20-19-24-36z" />
        <path className="category-stripe" d="M137 175h206l-2.500 6.500H139.500z" />
        <path
          className="category-water"
          d="M-60 200c14-7 28-7 42 0s28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0V240H-60z"
        />
      </svg>
      <Icon name={categoryIcons[place % categoryIcons.length] ?? 'globe'} />
    </div>
  );
}
