import type { Messages } from '../../../i18n/translate.ts';
import { createTranslate } from '../../../i18n/translate.ts';
import type { Address } from '../../../web/addressing/addresses.ts';
import type { ConfiguredNetwork, ShareConfiguration } from '../configuration/share.ts';
import { type Network, networkOf, networks } from './networks/networks.ts';
import { outlines } from './networks/outlines.ts';
import { inUsualOrder, usualNetworks } from './networks/usual-networks.ts';
import type { ShareMarks } from './share-link.ts';

/**
 * A network as a page offers it, with all that its link is made of: a page has a few of many, and no script of all of
 * them.
 */
export interface ShareOffer {
  /** Of ours, or the name that the configuration gives it. */
  readonly id: string;
  /** What its link is called, in the page's language. */
  readonly label: string;
  /** The address that opens it (see `share-link.ts`). */
  readonly link: string;
  /** How it is drawn. */
  readonly outline: string;
  /** Opens a program that computers rarely have. */
  readonly isApp?: true;
}

/** What the share bar says, in the page's language. */
export interface ShareWords {
  /** Of the bar. */
  readonly name: string;
  /** Of the system's own share sheet. */
  readonly sheet: string;
  readonly copy: string;
  readonly copied: string;
  /** Said where the browser forbids either. */
  readonly refused: string;
  readonly close: string;
}

/** The share bar of a page. */
export interface PageShare {
  readonly offers: readonly ShareOffer[];
  readonly words: ShareWords;
  readonly marks: ShareMarks;
}

/** The second layout of a page asks around as well. */
const withQuora = (ids: readonly string[]) => [...ids.slice(0, -1), 'quora', ...ids.slice(-1)];

function offeredIn(
  { networks: configured }: ShareConfiguration,
  { locale, variant }: Pick<Address, 'locale' | 'variant'>,
): readonly ConfiguredNetwork[] {
  if (configured !== null) return inUsualOrder(configured, locale);
  const ids = usualNetworks(locale);
  return (variant ? withQuora(ids) : ids).map((id) => ({ id, link: null }));
}

/**
 * The share bar of a page.
 * @param messages of the catalogue page `share`
 */
export function pageShare(
  configuration: ShareConfiguration,
  address: Pick<Address, 'locale' | 'variant'>,
  messages: Messages,
): PageShare {
  const t = createTranslate<'share'>(address.locale, messages);
  const labelOf = (id: string, name: string) => {
    if (id === 'email') return t('share.email');
    return id === 'sms' ? t('share.sms') : t('share.on', { network: name });
  };
  const toOffer = ({ id, link }: ConfiguredNetwork): ShareOffer => {
    const known = networkOf(id);
    const network: Network = known === undefined ? { name: id, link: '' } : networks[known];
    return {
      id,
      label: labelOf(id, network.name),
      link: link ?? network.link,
      outline: outlines[known ?? 'other'],
      ...(network.isApp === true && { isApp: true }),
    };
  };
  return {
    offers: offeredIn(configuration, address).map(toOffer),
    words: {
      name: t('share.name'),
      sheet: t('share.sheet'),
      copy: t('share.copy'),
      copied: t('share.copied'),
      refused: t('share.refused'),
      close: t('share.close'),
    },
    marks: configuration.marks,
  };
}
