import type { MouseEvent } from 'react';
import { useLocation, useMatches } from 'react-router';
import { absolute } from '../../../site/addressing/addresses.ts';
import { ownPlace } from '../../../site/addressing/page-addresses.ts';
import type { SharePicture } from '../../../site/addressing/share-picture.ts';
import { useDownloads } from '../../../site/browser/downloads/downloads.ts';
import { isSaved } from '../../../site/browser/downloads/file-requests.ts';
import { useDocument } from '../../../site/document/document-context.tsx';
import { Outline } from '../../../site/ui/icon.tsx';
import type { PageShare, ShareOffer } from './page-share.ts';
import styles from './plain-share-bar.css?url';
import { type SharedPage, shareLink } from './share-link.ts';

/** The fields that pages' loaders provide. */
interface PageData {
  readonly kind?: string;
  readonly head?: { readonly title: string; readonly description: string };
  readonly sharePicture?: SharePicture;
}

/** The query of a result of which a file was saved; empty before that: until then a visitor's link is private. */
function useSavedResult(): string {
  const link = new URLSearchParams(useLocation().search).get('url');
  const downloads = [...useDownloads().values()];
  const isShown = link !== null && downloads.some((one) => isSaved(one) && one.file.post.url === link);
  return isShown ? `?${new URLSearchParams({ url: link })}` : '';
}

/**
 * The present page as it is shared: by its canonical address, and with the result on it once a file of it was saved.
 * @returns null for a page without an address: error screens
 */
export function useSharedPage(): SharedPage | null {
  const { origin, addresses, sharePicture } = useDocument();
  // The downloader's is packed.
  const data = useMatches().at(-1)?.loaderData as
    | (PageData & { readonly page?: PageData })
    | null
    | undefined;
  const place = ownPlace(addresses);
  const query = useSavedResult();
  const page = data?.kind === 'tool' ? data.page : data;
  const head = page?.head;
  if (place === null || head === undefined) return null;
  const { path } = page?.sharePicture ?? sharePicture;
  return {
    url: absolute(origin, place) + query,
    title: head.title,
    description: head.description,
    media: origin + path,
  };
}

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
