import { useDocument } from '../document-context.tsx';
import { useLocale } from '../texts.tsx';

/** The feed of the page's language: a link to see, and one for feed readers in the head. */
export function FeedLink({ text, title }: { text: string; title: string }) {
  const { homePath } = useDocument();
  const locale = useLocale();
  const base = homePath.startsWith('/') ? homePath.replace(/\/$/, '') : `/${locale}`;
  return (
    <>
      <link rel="alternate" type="application/rss+xml" title={title} href={`${base}/feed.xml`} />
      <link rel="alternate" type="application/atom+xml" title={title} href={`${base}/atom.xml`} />
      <link rel="alternate" type="application/feed+json" title={title} href={`${base}/feed.json`} />
      <a className="feed-link" href={`${base}/feed.xml`}>
        {text}
      </a>
    </>
  );
}
