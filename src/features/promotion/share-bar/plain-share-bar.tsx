import type { PageShare } from './page-share.ts';
import styles from './plain-share-bar.css?url';
import { ShareLinks } from './share-links.tsx';
import { useSharedPage } from './use-shared-page.ts';

/** The share bar of browsers without scripts: a row at the end of the page on phones, at the side on desktops. */
export function PlainShareBar({ share: { offers, words, marks } }: { share: PageShare }) {
  const page = useSharedPage();
  if (page === null) return null;
  return (
    <>
      <link rel="stylesheet" href={styles} />
      <section className="share-bar" aria-label={words.name}>
        <ul className="share-panel">
          <ShareLinks offers={offers} marks={marks} page={page} />
        </ul>
      </section>
    </>
  );
}
