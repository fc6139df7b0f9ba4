import { Link } from 'react-router';
import { type Address, linkTo } from '../../addressing/addresses.ts';
import { siteHas } from '../../addressing/site-pages.ts';
import type { SiteServices } from '../../loaders/services.ts';
import { ArticleCards } from '../cards/article-cards.tsx';
import { toCards } from '../cards/cards.ts';
import { withTranslate } from './blog-request.ts';

/** Number of articles on a downloader page. */
const usefulPosts = 3;

/** The articles that a downloader page recommends. */
export type UsefulPostsData = Awaited<ReturnType<typeof loadUsefulPosts>>;

/** The most read articles at the moment, else the newest. */
export async function loadUsefulPosts(services: SiteServices, address: Address) {
  const { content, configuration } = services;
  const { locale } = address;
  const { t } = withTranslate({ services, address });
  const [{ hot, recently }, categories] = await Promise.all([
    content.selection({ locale, start: 0, size: usefulPosts }),
    content.categories(locale),
  ]);
  return {
    title: t('articles.useful'),
    /** Null in a language without a posts page. */
    all: siteHas(configuration, 'posts', locale)
      ? { text: t('front.all'), href: linkTo(configuration, locale, 'posts') }
      : null,
    cards: toCards(hot.length > 0 ? hot : recently, categories, { configuration, address }),
  };
}

/** Articles to read beside the tool. */
export function UsefulPosts({ title, all, cards }: UsefulPostsData) {
  if (cards.length === 0) return null;
  return (
    <section className="container useful-posts" aria-labelledby="useful-posts">
      <h2 id="useful-posts">{title}</h2>
      <ArticleCards cards={cards} />
      {all !== null && (
        <p className="blog-more">
          <Link className="button button-plain" to={all.href}>
            {all.text}
          </Link>
        </p>
      )}
    </section>
  );
}
