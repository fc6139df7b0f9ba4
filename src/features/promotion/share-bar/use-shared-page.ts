import { useMatches } from 'react-router';
import { absolute } from '../../../site/addressing/addresses.ts';
import { ownPlace } from '../../../site/addressing/page-addresses.ts';
import type { SharePicture } from '../../../site/addressing/share-picture.ts';
import { useDocument } from '../../../site/document/document-context.tsx';
import type { SharedPage } from './share-link.ts';

/** The fields that pages' loaders provide. */
interface PageData {
  readonly kind?: string;
  readonly head?: { readonly title: string; readonly description: string };
  readonly sharePicture?: SharePicture;
}

/**
 * The present page as it is shared: by its canonical address. The visitor's link in the box is private, and not part of
 * it.
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
  const page = data?.kind === 'tool' ? data.page : data;
  const head = page?.head;
  if (place === null || head === undefined) return null;
  const { path } = page?.sharePicture ?? sharePicture;
  return {
    url: absolute(origin, place),
    title: head.title,
    description: head.description,
    media: origin + path,
  };
}
