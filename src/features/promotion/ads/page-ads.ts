import { type Locale, languages } from '../../../i18n/languages.ts';
import type { Layout } from '../../../web/overlays/layout.ts';
import { type AdConfiguration, type AdRule, pictureSource, ruleFor, textFor } from '../configuration/ads.ts';
import type { PromotedPicture } from '../pictures/promoted-pictures.ts';

/** An ad, ready to show. */
export interface Ad {
  /** With its language where it leads to a page of this site. */
  readonly href: string;
  /** Whether it is this site's own and unpaid. */
  readonly isOwn: boolean;
  readonly text: string;
  /** The text's language, for the `lang` attribute, where it is another one than the page's. */
  readonly lang?: string;
  /** Of its picture, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Null when there is none (yet): then the text is shown. */
  readonly picture: Pick<PromotedPicture, 'id' | 'widths'> | null;
}

/** One of the two banners at the foot of desktop windows. */
export interface FooterAd extends Ad {
  /** "Recommended" or "New", in the page's language. */
  readonly tag: string;
}

/** The ads of a page, by their places. */
export interface PageAds {
  /** At the side, on desktops. */
  readonly side?: Ad;
  /** At the foot of the window, in the mobile layout. */
  readonly bottom?: Ad;
  /** The recommendation: a box on desktops, and in the mobile layout a bar that opens one. */
  readonly box?: Ad;
  /** At the foot of the window, on desktops and these hosts. */
  readonly footer?: { readonly hosts: readonly string[]; readonly banners: readonly FooterAd[] };
}

/** The page that shows ads, and what is needed to make them ready. */
export interface AdPage {
  readonly locale: Locale;
  /** With its language. */
  readonly path: string;
  /** Whether visitors save videos on it. */
  readonly offersVideos: boolean;
  /** The finished pictures, by their source in the configuration. */
  readonly pictures: ReadonlyMap<string, PromotedPicture>;
  /** "Recommended" and "New". */
  readonly tags: { readonly recommended: string; readonly newest: string };
  /** Makes a path of this site one of the page's language. */
  toHref(path: string): string;
}

function toAd(rule: AdRule, { locale, pictures, toHref }: AdPage): Ad {
  const { href, img, width, height } = rule;
  const says = textFor(rule, locale);
  const isOwn = href.startsWith('/');
  const picture = img === undefined ? undefined : pictures.get(pictureSource(img, locale));
  return {
    href: isOwn ? toHref(href) : href,
    isOwn,
    text: says.text,
    ...(says.in !== null && says.in !== locale && { lang: languages[says.in].lang }),
    width,
    height,
    picture: picture === undefined ? null : { id: picture.id, widths: picture.widths },
  };
}

/** The ads of a page as the configuration says them, by their places. */
export type ChosenAds = Readonly<Partial<Record<AdPlace, AdRule>>>;

/** A list of the configuration, of which a page shows one ad. */
export type AdPlace = 'side' | 'bottom' | 'box' | 'recommended' | 'newest';

/** The ad of each list that a page shows: the first matching one. */
export function chooseAds(
  { footerHosts, isOffForVideos, ...lists }: AdConfiguration,
  { path, offersVideos }: Pick<AdPage, 'path' | 'offersVideos'>,
): ChosenAds {
  if (isOffForVideos && offersVideos) return {};
  const { recommended, newest, ...others } = lists;
  const shown = { ...others, ...(footerHosts.length > 0 && { recommended, newest }) };
  const chosen = Object.entries(shown).map(([place, rules]) => [place, ruleFor(rules, path)] as const);
  return Object.fromEntries(chosen.filter(([, rule]) => rule !== undefined));
}

/** The ads of a page, ready to show. */
export function pageAds(configuration: AdConfiguration, page: AdPage): PageAds {
  const { recommended, newest, ...others } = chooseAds(configuration, page);
  const banners: FooterAd[] = [];
  if (recommended !== undefined) banners.push({ ...toAd(recommended, page), tag: page.tags.recommended });
  if (newest !== undefined) banners.push({ ...toAd(newest, page), tag: page.tags.newest });
  return {
    ...Object.fromEntries(Object.entries(others).map(([place, rule]) => [place, toAd(rule, page)])),
    ...(banners.length > 0 && { footer: { hosts: configuration.footerHosts, banners } }),
  };
}

/** The layouts in which a page's ads are shown. */
export function layoutsOf({ side, bottom, box, footer }: PageAds): Layout[] {
  const isOnDesktop = side !== undefined || box !== undefined || footer !== undefined;
  const isOnMobile = bottom !== undefined || box !== undefined;
  return [...(isOnDesktop ? (['desktop'] as const) : []), ...(isOnMobile ? (['mobile'] as const) : [])];
}
