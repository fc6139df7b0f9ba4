import { type Direction, type Locale, languages } from '../../i18n/languages.ts';
import { createTranslate, type Messages } from '../../i18n/translate.ts';
import { type Address, fileBase, linkTo, parseAddress } from '../addressing/addresses.ts';
import { addressesOf, type PageAddresses } from '../addressing/page-addresses.ts';
import { type SharePicture, sharePicture } from '../addressing/share-picture.ts';
import { isForSound, listModules, pageKeyOf, siteHas } from '../addressing/site-pages.ts';
import { accentStyle } from '../configuration/accent.ts';
import type { DownloadButton, SiteConfiguration } from '../configuration/configuration.ts';
import type { SiteLogo, SiteServices } from '../loaders/services.ts';
import type { PresentPage } from '../visitors/present-page.ts';
import type { VisitorSettings } from '../visitors/settings.ts';
import { type Typeface, typefaces } from './typeface.ts';

/** A link of the header or the footer, ready to show. */
export interface SiteLink {
  readonly href: string;
  readonly text: string;
  readonly present: boolean;
  readonly newTab: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly SiteLink[];
}

/** A link of the list of tools. */
interface ToolLink extends SiteLink {
  /** The page's formats, in language-independent words: "MP4 · HD · MP3". */
  readonly formats: string;
}

/** A column of the footer. */
interface FooterColumn {
  readonly title: string;
  readonly links: readonly SiteLink[];
}

/** The features' additions to the document. Each declares its own. @public */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface FeatureDocument {}

/** Makes what a feature adds to the document of a page. */
export type DocumentPart = (
  services: SiteServices,
  page: {
    readonly address: Address;
    /** The page's path, with its language. */
    readonly path: string;
    readonly visitors: VisitorSettings | null;
  },
) => Partial<FeatureDocument & Pick<DocumentData, 'troublePath'>>;

/** The data of the document around every page. */
export interface DocumentData extends FeatureDocument {
  readonly locale: Locale;
  /** For the `lang` attribute. */
  readonly lang: string;
  readonly direction: Direction;
  /** The face of headings. */
  readonly typeface: Typeface;
  readonly ogLocale: string;
  readonly origin: string;
  /** The site's visible name: its brand, or else its domain. */
  readonly name: string;
  /** The site's own logo; absent for the product's ferry. */
  readonly logo?: SiteLogo;
  /** A style that replaces the product's colours. */
  readonly accent?: string;
  /** The home page's share picture, for pages without one. */
  readonly sharePicture: SharePicture;
  readonly preconnect: readonly string[];
  /** The years of the copyright line: `2026`, or `2024–2026` since the site began. */
  readonly years: string;
  readonly homePath: string;
  /** The page about failures that affect everybody; null when no feature has one. */
  readonly troublePath: string | null;
  /** The page that accepts more links than a list does; null when no feature has one. */
  readonly manyPostsPath: string | null;
  /** Path of the web app manifest. */
  readonly manifest: string;
  /** The configuration's data for this address; pages from the content store override it. */
  readonly addresses: PageAddresses;
  readonly menu: readonly SiteLink[];
  readonly posts: SiteLink | null;
  readonly footer: readonly FooterColumn[];
  /** The home page and the downloader pages, for the footer's popup. */
  readonly tools: readonly ToolLink[];
  /** Address of the program's source; null when not configured. */
  readonly sourceUrl: string | null;
  readonly messages: Messages;
  /** Settings about visitors; null when nothing is configured, and on pages without scripts. */
  readonly visitors: VisitorSettings | null;
  /** The page's identity in statistics; null without statistics. */
  readonly presentPage: PresentPage | null;
}

/** The fourth column of the footer opens in a new tab. */
const newTabColumn = 3;

/** The layout's data that depends only on the address. @param parts the features' additions */
export function loadDocument(
  services: SiteServices,
  url: URL,
  year: number,
  parts: readonly DocumentPart[],
): DocumentData {
  const address = parseAddress(url.pathname, services.configuration);
  const messages = services.messages(address.locale, 'common');
  const visitors = services.visitorSettings(address.locale);
  const core = {
    ...makeDocument(services, url, address, messages, year),
    visitors,
    presentPage: visitors?.statistics === undefined ? null : presentPage(services, address),
  };
  const page = { address, path: url.pathname, visitors };
  // Each feature gives what it has declared.
  return Object.assign(core, ...parts.map((part) => part(services, page))) as DocumentData;
}

function homePicture({ configuration, messages }: SiteServices, locale: Locale): SharePicture {
  const { brand, index_info } = configuration;
  const t = createTranslate<'home'>(locale, messages(locale, index_info.lang_file));
  return sharePicture(locale, '', { title: t('hero.title'), name: brand });
}

function presentPage({ configuration }: SiteServices, { page }: Address): PresentPage {
  return { key: pageKeyOf(configuration, page), isForSound: isForSound(configuration, page) };
}

function makeDocument(
  services: SiteServices,
  url: URL,
  address: Address,
  messages: Messages,
  year: number,
): Omit<DocumentData, 'visitors' | 'presentPage' | keyof FeatureDocument> {
  const { configuration, origin } = services;
  const { locale } = address;
  const t = createTranslate<'common'>(locale, messages);
  const links = (configured: readonly ConfiguredLink[]) =>
    configured.flatMap((link) => toLink(link, address, configuration, messages));
  const ofFeature = (page: string) =>
    siteHas(configuration, page, locale) ? linkTo(configuration, locale, page) : null;
  return {
    locale,
    lang: languages[locale].lang,
    direction: languages[locale].direction,
    typeface: typefaces[locale],
    ogLocale: languages[locale].ogLocale,
    origin,
    name: configuration.brand,
    ...(services.logo !== null && { logo: services.logo }),
    ...(configuration.accent && { accent: accentStyle(configuration.accent) }),
    sharePicture: homePicture(services, locale),
    preconnect: configuration.preconnect,
    years: yearsUntil(year, configuration.since),
    homePath: linkTo(configuration, locale, ''),
    troublePath: null,
    manyPostsPath: ofFeature('many-posts'),
    manifest: `${fileBase(configuration, locale)}manifest.webmanifest`,
    addresses: addressesOf(configuration, url),
    menu: links(configuration.menus_info),
    posts: links([{ url: '/posts', text: 'posts' }])[0] ?? null,
    footer: configuration.foot_links.map((column, at) => ({
      title: t(`footer.${column.title}` as Parameters<typeof t>[0]),
      links: links(column.links.map((link) => ({ ...link, open_new_page: at === newTabColumn }))),
    })),
    tools: listModules(configuration).flatMap(({ page, text, download_info }) =>
      links([{ url: `/${page}`, text }]).map((link) => ({
        ...link,
        formats: formatsOf(download_info.download_btns),
      })),
    ),
    sourceUrl: configuration.source_url ?? null,
    messages,
  };
}

/** The years from the site's first one, if it is known. */
const yearsUntil = (year: number, since: number | undefined): string =>
  since !== undefined && since < year ? `${since}–${year}` : String(year);

const formatsOf = (buttons: readonly DownloadButton[]) =>
  buttons.map((button) => (button === 'mp4-hd' ? 'HD' : button.toUpperCase())).join(' · ');

interface ConfiguredLink {
  readonly url: string;
  readonly text: string;
  readonly map_url?: readonly string[] | undefined;
  readonly open_new_page?: boolean;
  readonly extra_attr?: Readonly<Record<string, string>>;
  readonly children?: readonly ConfiguredLink[] | undefined;
}

/** A configured link in the address's language; undefined when that language has no such page. */
function toLink(
  link: ConfiguredLink,
  address: Address,
  configuration: SiteConfiguration,
  messages: Messages,
): SiteLink[] {
  const { locale } = address;
  const page = link.url.slice(1);
  const isKeptBack =
    link.url.startsWith('/') &&
    !siteHas(configuration, page, locale) &&
    configuration.locales.some((other) => siteHas(configuration, page, other));
  if (isKeptBack) return [];
  const t = createTranslate<'common'>(locale, messages);
  const here = `/${address.page}`;
  const children = (link.children ?? []).flatMap((child) => toLink(child, address, configuration, messages));
  const isBelow = link.url !== '/' && here.startsWith(`${link.url}/`);
  return [
    {
      href: link.url.startsWith('/') ? linkTo(configuration, locale, page) : link.url,
      // The configuration names the message; `npm run check` cannot know its value.
      text: t(`menu.${link.text}` as Parameters<typeof t>[0]),
      present: link.url === here || isBelow || (link.map_url ?? []).includes(here),
      newTab: link.open_new_page ?? false,
      attributes: link.extra_attr ?? {},
      children,
    },
  ];
}
