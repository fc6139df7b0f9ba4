import { Link } from 'react-router';
import type { Picture } from '../../../content/content.ts';
import { HeadingText } from '../../ui/heading-text.tsx';
import { SizedPicture } from '../../ui/sized-picture.tsx';
import type { ArticleCard } from './cards.ts';
import { CategorySign } from './category-sign.tsx';

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
