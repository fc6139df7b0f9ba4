import { useLocation, useMatches } from 'react-router';
import { absolute } from '../../../site/addressing/addresses.ts';
import { ownPlace } from '../../../site/addressing/page-addresses.ts';
import type { SharePicture } from '../../../site/addressing/share-picture.ts';
import { useDownloads } from '../../../site/browser/downloads/downloads.ts';
import { isSaved } from '../../../site/browser/downloads/file-requests.ts';
import { useDocument } from '../../../site/document/document-context.tsx';
import type { SharedPage } from './share-link.ts';

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
