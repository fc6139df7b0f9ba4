import type { ComponentType } from 'react';
import { Link, useLoaderData } from 'react-router';
import { languages } from '../../i18n/languages.ts';
import { AuthorBox } from '../articles/author-box.tsx';
import { ArticleCards, CategorySign } from '../articles/cards/article-cards.tsx';
import { FeedLink, PagesNav, Topics } from '../articles/lists/list-links.tsx';
import { Contents, RichTextBody } from '../articles/rich-text.tsx';
import { VisitedArticles } from '../articles/visited-articles.tsx';
import { useDocument } from '../document/document-context.tsx';
import { ProsePage } from '../layout/prose/prose-page.tsx';
import type { loader as loadAllArticles } from './all-articles/loader.ts';
import { ApiPage } from './api/api-page.tsx';
import { ArticlePage } from './article/article-page.tsx';
import type { loader as loadAuthor } from './author/loader.ts';
import type { loader as loadAuthors } from './authors/loader.ts';
import type { loader as loadCategory } from './category/loader.ts';
import type { loader as loadLegal } from './legal/loader.ts';
import { FormPage } from './message-form/message-form.tsx';
import type { loader as loadSiteMap } from './pagelink/loader.ts';
import type { loader as loadPosts } from './posts/loader.ts';

const views = {
  'all-articles': AllArticlesPage,
  api: ApiPage,
  article: ArticlePage,
  author: AuthorPage,
  authors: AuthorsPage,
  category: CategoryPage,
  form: FormPage,
  legal: LegalPage,
  posts: PostsPage,
  'site-map': SiteMapPage,
} satisfies Readonly<Record<string, ComponentType>>;

export interface ViewProps {
  readonly of: keyof typeof views;
}

/** A page to read or to fill in. It shows the data of the route in which it stands. */
export function View({ of }: ViewProps) {
  const Shown = views[of];
  return <Shown />;
}

/** The newest articles, below the featured ones. */
function PostsPage() {
  const page = useLoaderData<typeof loadPosts>();
  const { labels, variant } = page;
  const isEmpty = page.top.length + page.recent.length === 0;
  return (
    <ProsePage page={page} className="blog">
      <Topics label={labels.topics} topics={page.topics} />
      {isEmpty && <p className="blog-empty">{labels.empty}</p>}
      {page.top.length > 0 && (
        <section aria-labelledby="top">
          <h2 id="top">{labels.top}</h2>
          <ArticleCards cards={page.top} isPlain={variant} />
        </section>
      )}
      {page.recent.length > 0 && (
        <section aria-labelledby="recent">
          <h2 id="recent">{labels.recent}</h2>
          <ArticleCards cards={page.recent} isPlain={variant} />
        </section>
      )}
      <p className="blog-more">
        <Link className="button button-plain" to={page.all.href}>
          {page.all.text}
        </Link>
        <FeedLink {...page.feed} />
      </p>
      <VisitedArticles {...labels.visited} />
    </ProsePage>
  );
}

/** A category's articles. */
function CategoryPage() {
  const page = useLoaderData<typeof loadCategory>();
  const { labels } = page;
  return (
    <ProsePage page={page} className="blog" below={<CategorySign place={page.place} />}>
      <Topics label={labels.topics} topics={page.children.length > 0 ? page.children : page.topics} />
      <ArticleCards cards={page.cards} empty={labels.empty} level={2} isPlain={page.variant} />
      <PagesNav pagination={page.pagination} />
    </ProsePage>
  );
}

/** All articles, the newest first. */
function AllArticlesPage() {
  const page = useLoaderData<typeof loadAllArticles>();
  return (
    <ProsePage page={page} className="blog">
      <Topics label={page.labels.topics} topics={page.topics} />
      <ArticleCards cards={page.cards} empty={page.labels.empty} level={2} />
      <PagesNav pagination={page.pagination} />
      <p className="blog-more">
        <FeedLink {...page.feed} />
      </p>
    </ProsePage>
  );
}

/** Everyone who wrote an article. */
function AuthorsPage() {
  const page = useLoaderData<typeof loadAuthors>();
  const { authors, empty } = page;
  return (
    <ProsePage page={page} className="blog">
      {authors.length === 0 && <p className="blog-empty">{empty}</p>}
      {authors.map((author) => (
        <AuthorBox key={author.href ?? author.name} author={author} level={2} />
      ))}
    </ProsePage>
  );
}

/** An author, and the articles by them. */
function AuthorPage() {
  const page = useLoaderData<typeof loadAuthor>();
  const { labels } = page;
  return (
    <ProsePage page={page} className="blog">
      <AuthorBox author={page.author} isOwnPage />
      <section aria-labelledby="articles">
        <h2 id="articles">{labels.articles}</h2>
        <ArticleCards cards={page.cards} empty={labels.empty} />
      </section>
      <PagesNav pagination={page.pagination} />
    </ProsePage>
  );
}

/** A legal document, with its contents beside it. */
function LegalPage() {
  const page = useLoaderData<typeof loadLegal>();
  const site = useDocument();
  return (
    <ProsePage
      page={page}
      structuredData={({ aboutPage }) =>
        page.isAbout
          ? [aboutPage(site, { ...page.head, href: site.addresses.canonical ?? site.homePath })]
          : []
      }
    >
      <p className="legal-updated">{page.updated}</p>
      {page.notice !== null && <p role="note">{page.notice}</p>}
      <div className="reading">
        <Contents title={page.contents} headings={page.headings} lang={page.lang} />
        <RichTextBody nodes={page.nodes} lang={page.lang} />
      </div>
    </ProsePage>
  );
}

/** The site map for people. */
function SiteMapPage() {
  const page = useLoaderData<typeof loadSiteMap>();
  const { addresses } = useDocument();
  return (
    <ProsePage page={page} className="site-map">
      {page.parts.map((part) => (
        <section key={part.title}>
          <h2>{part.title}</h2>
          <ul>
            {part.links.map(({ href, text }) => (
              <li key={href}>
                <Link to={href}>{text}</Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h2>{page.languages}</h2>
        <ul>
          {addresses.languages.map(({ locale, href }) => (
            <li key={locale}>
              <Link to={href} lang={languages[locale].lang} hrefLang={languages[locale].hreflang}>
                {languages[locale].name}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </ProsePage>
  );
}
