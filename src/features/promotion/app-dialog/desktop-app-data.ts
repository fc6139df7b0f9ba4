import type { Locale } from '../../../i18n/languages.ts';
import { createTranslate } from '../../../i18n/translate.ts';
import type { SiteConfiguration } from '../../../web/configuration/configuration.ts';
import type { SiteServices } from '../../../web/loaders/services.ts';
import type { ProductDialog, System } from '../configuration/product-dialog.ts';

/** A program for one system. */
export interface AppCell {
  readonly system: System;
  /** The system's own name. */
  readonly name: string;
  readonly href: string;
  /** Its requirements; null when not stated. */
  readonly requires: string | null;
  /** Says what following the link does. */
  readonly download: string;
  /** The program's id in statistics; null for none. */
  readonly appId: string | null;
}

/** A program for computers that a downloader page offers, in the page's language. */
export interface DesktopAppData {
  /** Its origin: "Advertisement" or "From us". */
  readonly label: string;
  readonly title: string;
  readonly description: string;
  readonly open: string;
  /** The one for Windows, and the one for Mac. */
  readonly cells: readonly [AppCell, AppCell];
  /** Said of the cell that is for the visitor's own system. */
  readonly yours: string;
  readonly leads: string;
  /** The partner's own page; null when the language has none. */
  readonly more: { readonly href: string; readonly text: string } | null;
  readonly close: string;
  readonly opensAfterSuccess: boolean;
}

/** The systems' names, the same in every language. */
const systemNames: Readonly<Record<System, string>> = { win: 'Windows', mac: 'Mac' };

const inLanguage = (url: string, locale: Locale) => new URL(url.replaceAll('{locale}', locale));

/** A downloader page's texts about a desktop program. */
export function desktopAppData(
  dialog: ProductDialog,
  locale: Locale,
  messages: SiteServices['messages'],
  { visitors }: Pick<SiteConfiguration, 'visitors'>,
): DesktopAppData {
  const t = createTranslate<'desktop-app' | 'promotion'>(locale, {
    ...messages(locale, 'promotion'),
    ...messages(locale, 'desktop-app'),
  });
  const { name, type, source, source_parameter, page_url } = dialog;
  const cellFor = (system: System, at: number): AppCell => {
    const { url, requires = null } = dialog.cells[system];
    const href = inLanguage(url, locale);
    href.searchParams.set(source_parameter, source);
    return {
      system,
      name: systemNames[system],
      href: href.href,
      requires,
      download: t('app.download', { system: systemNames[system] }),
      appId: visitors.appIds[at] ?? null,
    };
  };
  const cells = [cellFor('win', 0), cellFor('mac', 1)] as const;
  const page = page_url[locale] ?? page_url.default;
  return {
    label: t(type === 'ad' ? 'promotion.ad' : 'promotion.own'),
    title: t('app.title', { name }),
    description: dialog.description[locale] ?? t(`app.text.${type}`),
    open: t('app.open'),
    cells,
    yours: t('app.yours'),
    leads: t('app.leads', { host: new URL(cells[0].href).host }),
    more: page === undefined ? null : { href: inLanguage(page, locale).href, text: t('app.more', { name }) },
    close: t('app.close'),
    opensAfterSuccess: dialog.after_success,
  };
}
