import { type Direction, type Locale, languages } from '../i18n/languages.ts';
import { createTranslate, type Messages } from '../i18n/translate.ts';
import { type Address, parseAddress, pathFor } from './addresses.ts';
import { type SiteConfiguration, siteHas } from './configuration.ts';
import type { SiteServices } from './services.ts';

/** A link of the header or the footer, ready to show. */
export interface SiteLink {
  readonly href: string;
  readonly text: string;
  readonly present: boolean;
  readonly newTab: boolean;
  readonly children: readonly SiteLink[];
}

/** One language of the switcher and of the alternates. */
interface LanguageLink {
  readonly locale: Locale;
  /** For the `lang` attribute. */
  readonly lang: string;
  readonly hreflang: string;
  /** In the language itself. */
  readonly name: string;
  readonly href: string;
}

/** What the document around every page needs. */
export interface DocumentData {
  readonly locale: Locale;
  /** For the `lang` attribute. */
  readonly lang: string;
  readonly direction: Direction;
  readonly origin: string;
  readonly domain: string;
  readonly year: number;
  readonly homePath: string;
  /** Null on screens that are no page of the site. */
  readonly canonicalPath: string | null;
  readonly defaultPath: string;
  readonly menu: readonly SiteLink[];
  readonly footer: readonly (readonly SiteLink[])[];
  /** All configured languages, the present one included. */
  readonly languages: readonly LanguageLink[];
  readonly messages: Messages;
}

/** Everything of the layout that depends on the address alone. */
export function loadDocument(services: SiteServices, url: URL, year: number): DocumentData {
  const { configuration, origin } = services;
  const address = parseAddress(url.pathname, configuration);
  const messages = services.messages(address.locale, 'common');
  const exists = siteHas(configuration, address.page);
  const page = exists ? address.page : '';
  return {
    locale: address.locale,
    lang: languages[address.locale].lang,
    direction: languages[address.locale].direction,
    origin,
    domain: configuration.domain,
    year,
    homePath: pathFor(configuration, address.locale, ''),
    canonicalPath: exists ? address.canonicalPath : null,
    defaultPath: pathFor(configuration, configuration.defaultLocale, page),
    menu: configuration.menu.map((item) => toLink(item, address, configuration, messages)),
    footer: configuration.footLinks.map((column) =>
      column.map((link) => toLink(link, address, configuration, messages)),
    ),
    languages: configuration.locales.map((locale) => ({
      locale,
      lang: languages[locale].lang,
      hreflang: languages[locale].hreflang,
      name: languages[locale].name,
      href: pathFor(configuration, locale, page),
    })),
    messages,
  };
}

interface ConfiguredLink {
  readonly url: string;
  readonly text: string;
  readonly map_url?: readonly string[] | undefined;
  readonly open_new_page?: boolean;
  readonly children?: readonly ConfiguredLink[] | undefined;
}

function toLink(
  link: ConfiguredLink,
  address: Address,
  configuration: SiteConfiguration,
  messages: Messages,
): SiteLink {
  const t = createTranslate<'common'>(address.locale, messages);
  const here = `/${address.page}`;
  return {
    href: link.url.startsWith('/') ? pathFor(configuration, address.locale, link.url.slice(1)) : link.url,
    // The configuration names the message; `npm run check` cannot know its value.
    text: t(`menu.${link.text}` as Parameters<typeof t>[0]),
    present: link.url === here || (link.map_url ?? []).includes(here),
    newTab: link.open_new_page ?? false,
    children: (link.children ?? []).map((child) => toLink(child, address, configuration, messages)),
  };
}
