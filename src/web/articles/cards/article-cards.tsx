import { Link } from 'react-router';
import type { Picture } from '../../../content/content.ts';
import { HeadingText } from '../../ui/heading-text.tsx';
import type { ArticleCard } from './cards.ts';
import { CategorySign } from './category-sign.tsx';

const sizesOf = ({ id, widths }: Picture, format: string) =>
  widths.map((width) => `/pictures/${id}-${width}.${format} ${width}w`).join(', ');

/** A picture in the sizes and formats that were made of it, or a drawing. */
export function CoverPicture(props: { picture: Picture; sizes: string; isFirst?: boolean }) {
  const { picture, sizes, isFirst = false } = props;
  const loading = isFirst ? 'eager' : 'lazy';
  const { id, alt, width, height } = picture;
  const rest = { width, height, loading, decoding: 'async' } as const;
  if (picture.widths.length === 0) return <img src={`/pictures/${id}-${width}.svg`} alt={alt} {...rest} />;
  return (
    <picture>
      <source type="image/avif" srcSet={sizesOf(picture, 'avif')} sizes={sizes} />
      <source type="image/webp" srcSet={sizesOf(picture, 'webp')} sizes={sizes} />
      <img
        src={`/pictures/${id}-${width}.jpg`}
        srcSet={sizesOf(picture, 'jpg')}
        sizes={sizes}
        alt={alt}
        {...rest}
      />
    </picture>
  );
}

/** The picture of an article, or a sign of its category where it has none. */
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

/** Articles side by side. */
export function ArticleCards({ cards, level = 3 }: { cards: readonly ArticleCard[]; level?: 2 | 3 }) {
  const Heading = `h${level}` as const;
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
            <Heading>
              <Link className="article-card-link" to={card.href}>
                <HeadingText>{card.title}</HeadingText>
              </Link>
            </Heading>
            <p>{card.description}</p>
            <time dateTime={card.published.iso}>{card.published.text}</time>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Articles one below the other, without pictures. */
export function ArticleRows({ cards, level = 3 }: { cards: readonly ArticleCard[]; level?: 2 | 3 }) {
  const Heading = `h${level}` as const;
  return (
    <ul className="article-rows">
      {cards.map((card) => (
        <li key={card.id}>
          <Heading>
            <Link to={card.href}>
              <HeadingText>{card.title}</HeadingText>
            </Link>
          </Heading>
          <p>{card.description}</p>
          <time dateTime={card.published.iso}>{card.published.text}</time>
        </li>
      ))}
    </ul>
  );
}
