interface FeedLinkProps {
  readonly text: string;
  readonly title: string;
  /** Prefix of the feeds' file names. */
  readonly base: string;
}

/** The feed of the page's language: a link to see, and one for feed readers in the head. */
export function FeedLink({ text, title, base }: FeedLinkProps) {
  return (
    <>
      <link rel="alternate" type="application/rss+xml" title={title} href={`${base}feed.xml`} />
      <link rel="alternate" type="application/atom+xml" title={title} href={`${base}atom.xml`} />
      <link rel="alternate" type="application/feed+json" title={title} href={`${base}feed.json`} />
      <a className="feed-link" href={`${base}feed.xml`}>
        {text}
      </a>
    </>
  );
}
