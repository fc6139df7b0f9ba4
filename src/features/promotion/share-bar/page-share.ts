import { createTranslate, type Messages } from '../../../i18n/translate.ts';
import type { Address } from '../../../site/addressing/addresses.ts';
import { type Network, networkOf, networks, outlines, usualNetworks } from './networks.ts';
import type { ConfiguredNetwork, ShareConfiguration } from './share.ts';

/** The share bar of a page. */
export type PageShare = ReturnType<typeof pageShare>;

/**
 * A network as a page offers it, with everything for its link: a page has a few networks, and no script with all of
 * them.
 */
export type ShareOffer = PageShare['offers'][number];

/** The networks of a page: the usual ones of its language first. Its second layout also offers Quora. */
function offeredIn(
  { networks: configured }: ShareConfiguration,
  { locale, variant }: Pick<Address, 'locale' | 'variant'>,
): readonly ConfiguredNetwork[] {
  const usual: readonly string[] = usualNetworks[locale];
  const placeOf = ({ id }: ConfiguredNetwork) => (usual.includes(id) ? usual.indexOf(id) : usual.length);
  if (configured !== null) return configured.toSorted((one, other) => placeOf(one) - placeOf(other));
  const ids = variant ? usual.toSpliced(-1, 0, 'quora') : usual;
  return ids.map((id) => ({ id, link: null }));
}

/** The share bar of a page. @param messages of the catalogue page `share` */
export function pageShare(
  configuration: ShareConfiguration,
  address: Pick<Address, 'locale' | 'variant'>,
  messages: Messages,
) {
  const t = createTranslate<'share'>(address.locale, messages);
  const toOffer = ({ id, link }: ConfiguredNetwork) => {
    const known = networkOf(id);
    const network: Network = known === undefined ? { name: id, link: '' } : networks[known];
    return {
      /** Our name, or the one in the configuration. */
      id,
      label: id === 'email' || id === 'sms' ? t(`share.${id}`) : t('share.on', { network: network.name }),
      /** The address that opens it (see `share-link.ts`). */
      link: link ?? network.link,
      /** Its icon's path. */
      outline: outlines[known ?? 'other'],
      /** Opens a program that computers rarely have. */
      ...(network.isApp === true && { isApp: true as const }),
    };
  };
  return {
    offers: offeredIn(configuration, address).map(toOffer),
    /** The bar's texts, in the page's language. */
    words: {
      name: t('share.name'),
      /** Label of the system's share sheet. */
      sheet: t('share.sheet'),
      copy: t('share.copy'),
      copied: t('share.copied'),
      /** Said where the browser forbids either. */
      refused: t('share.refused'),
      close: t('share.close'),
    },
    marks: configuration.marks,
  };
}
