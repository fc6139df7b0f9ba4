import { useEffect, useState } from 'react';
import { Link, useLoaderData } from 'react-router';
import { absolute } from '../../addressing/addresses.ts';
import { ownPlace } from '../../addressing/page-addresses.ts';
import { AuthorBox } from '../../articles/author-box.tsx';
import { ArticleCards, CoverPicture } from '../../articles/cards/article-cards.tsx';
import { Contents, RichTextBody } from '../../articles/rich-text.tsx';
import { rememberArticle, VisitedArticles } from '../../articles/visited-articles.tsx';
import { useMounted } from '../../browser/mounted.ts';
import { copyAddress, hasShareSheet, openShareSheet, type ShareOutcome } from '../../browser/sharing.ts';
import { useDocument } from '../../document/document-context.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import { Button, LiveRegion } from '../../ui/controls.tsx';
import type { ArticlePageData } from './loader.ts';

/**
 * Passes the page's address to the system's share sheet, or to the clipboard if there is none. Shown only with scripts,
 * in reserved space.
 */
function ShareButton(props: { title: string; text: string; copied: string; refused: string }) {
  const { origin, addresses } = useDocument();
  const isMounted = useMounted();
  const [outcome, setOutcome] = useState<ShareOutcome>('done');
  const place = ownPlace(addresses);
  if (!isMounted || place === null) return null;
  const url = absolute(origin, place);
  const start = async () =>
    setOutcome(await (hasShareSheet() ? openShareSheet({ title: props.title, url }) : copyAddress(url)));
  return (
    <>
      <Button strength="plain" icon="link" onClick={() => void start()}>
        {outcome === 'copied' ? props.copied : props.text}
      </Button>
      {outcome === 'refused' && <span>{props.refused}</span>}
      <LiveRegion>{outcome === 'done' ? '' : props[outcome]}</LiveRegion>
    </>
  );
}

/** An article with everything around it. */
export function ArticlePage() {
  const page = useLoaderData<ArticlePageData>();
  const { labels, href, title, lang } = page;
  const site = useDocument();
  useEffect(() => rememberArticle({ href, title, lang }), [href, title, lang]);
  return (
    <ProsePage
      page={page}
      image={page.sharePicture}
      type="article"
      structuredData={({ article }) => [article(site, page)]}
      className="blog article"
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
