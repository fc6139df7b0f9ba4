import type { Locale } from '../../../i18n/languages.ts';
import { createTranslate } from '../../../i18n/translate.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { SiteServices } from '../../../site/loaders/services.ts';
import type { Program } from '../configuration/promotion.ts';

/** A program for computers that a downloader page offers, in the page's language. */
export type ProgramData = ReturnType<typeof programData>;

/** The program for one system. */
export type ProgramCell = ProgramData['cells'][number];

const inLanguage = (url: string, locale: Locale) => new URL(url.replaceAll('{locale}', locale));

/** A downloader page's texts about a desktop program. */
export function programData(
  { name, type, source, source_parameter, page_url, description, cells, after_success }: Program,
  locale: Locale,
  messages: SiteServices['messages'],
  { app_ids }: Pick<SiteConfiguration, 'app_ids'>,
) {
  const t = createTranslate<'desktop-app' | 'promotion'>(locale, {
    ...messages(locale, 'promotion'),
    ...messages(locale, 'desktop-app'),
  });
  // The systems' names are the same in every language.
  const systems = { win: 'Windows', mac: 'Mac' };
  const cellFor = (system: keyof typeof systems, at: number) => {
    const { url, requires = null } = cells[system];
    const href = inLanguage(url, locale);
    href.searchParams.set(source_parameter, source);
    return {
      system,
      name: systems[system],
      href: href.href,
      requires,
      download: t('app.download', { system: systems[system] }),
      /** In statistics. */
      appId: app_ids[at],
    };
  };
  const page = typeof page_url === 'string' ? page_url : (page_url[locale] ?? page_url.default);
  return {
    /** Its origin: "Advertisement" or "From us". */
    label: t(type === 'ad' ? 'promotion.ad' : 'promotion.own'),
    title: t('app.title', { name }),
    description: description[locale] ?? t(`app.text.${type}`),
    open: t('app.open'),
    cells: [cellFor('win', 0), cellFor('mac', 1)],
    /** Said of the cell that is for the visitor's own system. */
    yours: t('app.yours'),
    leads: t('app.leads', { host: inLanguage(cells.win.url, locale).host }),
    /** The partner's own page; null when the language has none. */
    more: page === undefined ? null : { href: inLanguage(page, locale).href, text: t('app.more', { name }) },
    close: t('app.close'),
    opensAfterSuccess: after_success,
  };
}
