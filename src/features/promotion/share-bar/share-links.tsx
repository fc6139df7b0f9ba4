import type { MouseEvent } from 'react';
import { Outline } from '../../../site/ui/icon.tsx';
import type { PageShare, ShareOffer } from './page-share.ts';
import styles from './plain-share-bar.css?url';
import { type SharedPage, shareLink } from './share-link.ts';
import { useSharedPage } from './use-shared-page.ts';

/** The attributes of a link or button of the bar. @param id in statistics */
export const shareItem = (label: string, id: string) => ({
  className: 'share-item',
  ...{ 'aria-label': label, title: label },
  ...{ 'data-vars-event': 'share', 'data-vars-label': id },
});

interface ShareLinksProps {
  readonly offers: readonly ShareOffer[];
  readonly marks: PageShare['marks'];
  readonly page: SharedPage;
  onClick?(event: MouseEvent<HTMLAnchorElement>): void;
}

/** A plain link to each network. It reveals nothing beyond its address. */
export function ShareLinks({ offers, marks, page, onClick }: ShareLinksProps) {
  return offers.map(({ id, label, link, outline, isApp }) => {
    const href = shareLink(link, page, marks);
    const isSite = href.startsWith('https:');
    return (
      <li key={id} className={isApp && 'share-app'}>
        <a
          {...shareItem(label, id)}
          href={href}
          rel="noopener noreferrer nofollow"
          target={isSite ? '_blank' : undefined}
          onClick={isSite ? onClick : undefined}
        >
          <Outline path={outline} />
        </a>
      </li>
    );
  });
}

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
