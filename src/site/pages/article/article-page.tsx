import { useEffect } from 'react';
import { Link, useLoaderData } from 'react-router';
import { AuthorBox } from '../../articles/author-box.tsx';
import { Breadcrumb } from '../../articles/breadcrumb.tsx';
import { ArticleCards, CoverPicture } from '../../articles/cards/article-cards.tsx';
import { Contents } from '../../articles/contents.tsx';
import { RichTextBody } from '../../articles/rich-text.tsx';
import { ShareButton } from '../../articles/share-button.tsx';
import { VisitedArticles } from '../../articles/visited-articles.tsx';
import { rememberArticle } from '../../browser/device/visited-articles.ts';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { ArticlePageData } from './loader.ts';

function ArticleHead({ page }: { page: ArticlePageData }) {
  const site = useDocument();
  return (
    <PageHead
      {...page.head}
      image={page.sharePicture}
      type="article"
      structuredData={({ article, breadcrumbs }) => [article(site, page), breadcrumbs(site, page.trail)]}
    />
  );
}

/** An article with everything around it. */
export function ArticlePage() {
  const page = useLoaderData<ArticlePageData>();
  const { labels, href, title, lang } = page;
  useEffect(() => rememberArticle({ href, title, lang }), [href, title, lang]);
  return (
    <ProsePage
      title={title}
      intro={page.description}
      variant={false}
      className="blog article"
      above={<Breadcrumb label={labels.here} trail={page.trail} />}
      below={
        <ul className="article-meta">
          {page.author !== null && (
            <li>
              {page.author.href === null ? (
                labels.by
              ) : (
                <Link to={page.author.href} rel="author">
                  {labels.by}
                </Link>
              )}
            </li>
          )}
          <li>
            <time dateTime={page.published.iso}>{page.published.text}</time>
          </li>
          {page.updated !== null && (
            <li>
              <time dateTime={page.updated.iso}>{page.updated.text}</time>
            </li>
          )}
          <li>{page.minutes}</li>
        </ul>
      }
    >
      <ArticleHead page={page} />
      <div className="reading">
        {page.cover !== null && (
          <div className="article-cover">
            <CoverPicture picture={page.cover} sizes="(min-width: 48rem) 44rem, 92vw" isFirst />
          </div>
        )}
        <Contents title={labels.contents} headings={page.headings} />
        <div className="article-text">
          <RichTextBody nodes={page.nodes} boxes={page.downloaders} />
          <div className="article-share">
            <ShareButton
              title={title}
              text={labels.share}
              copied={labels.copied}
              refused={labels.shareRefused}
            />
          </div>
          {page.author !== null && (
            <section className="article-author" aria-labelledby="author">
              <h2 id="author">{labels.author}</h2>
              <AuthorBox author={page.author} />
            </section>
          )}
        </div>
      </div>
      {page.related.length > 0 && (
        <section aria-labelledby="related">
          <h2 id="related">{labels.related}</h2>
          <ArticleCards cards={page.related} />
        </section>
      )}
      <VisitedArticles {...labels.visited} except={href} />
    </ProsePage>
  );
}
