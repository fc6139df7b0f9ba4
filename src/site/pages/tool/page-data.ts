import type { Locale } from '../../../i18n/languages.ts';
import { createTranslate, type Messages } from '../../../i18n/translate.ts';
import { type Address, linkTo } from '../../addressing/addresses.ts';
import { sharePicture } from '../../addressing/share-picture.ts';
import { listModules, siteHas } from '../../addressing/site-pages.ts';
import type { DownloaderModule } from '../../configuration/configuration.ts';
import type { SiteServices } from '../../loaders/services.ts';
import type { OtherPage } from './files/choose-options.ts';
import { factsOf, formatsOf, showcaseOf } from './introduction/introduction.ts';
import type { FaqEntry, FeatureEntry, StepEntry } from './introduction/sections.tsx';
import { drawQrCode } from './qr/qr.ts';
import { resultCatalogues } from './result/result-parts.tsx';
import { severalLinksCatalogues } from './state/several-links.tsx';

/** The data of a downloader page before its first use. */
export type ToolPageData = ReturnType<typeof toolPageData>;

/** Messages of the code that shows a result or a list; a page without either loads them when it needs them. */
export const outcomeMessages = (services: SiteServices, locale: Locale): Messages =>
  Object.assign(
    {},
    ...[...resultCatalogues(), ...severalLinksCatalogues()].map((name) => services.messages(locale, name)),
  );

/** Messages of the link box, its errors and the placeholder; a result brings the others. */
const firstMessages = /^(?:link|status|failure|recent|qr)\.|^conversion\.cancel$/;

/**
 * The data of a downloader page. Its long texts arrive translated, so that the browser needs only the tool's own
 * messages.
 */
export function toolPageData(
  services: SiteServices,
  { locale, canonicalPath }: Address,
  module: DownloaderModule,
) {
  const { configuration } = services;
  const { download_btns: buttons, example_url, extraParams } = module.download_info;
  // The configuration names the catalogue; all of them have the home page's keys.
  const t = createTranslate<'home'>(locale, services.messages(locale, module.lang_file));
  const tLanding = createTranslate<'landing'>(locale, services.messages(locale, 'landing'));
  const tool = Object.entries(services.messages(locale, 'tool'));
  return {
    locale,
    path: canonicalPath,
    messages: Object.fromEntries(tool.filter(([key]) => firstMessages.test(key))),
    buttons,
    others: otherPages(services, module, locale),
    /** A link to try; null while its post is gone. */
    exampleUrl: services.isDeadExample(example_url) ? null : example_url,
    facts: factsOf(configuration, services.visitorSettings(locale), tLanding),
    formats: formatsOf(buttons, tLanding),
    showcase: showcaseOf(buttons, tLanding),
    asking: { page: module.page, extra: extraParams },
    pageKey: module.elk_key,
    // The home page speaks of videos in general; other pages always name the platform.
    namesPlatform: module.page !== '',
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('hero.title'),
    sharePicture: sharePicture(locale, module.page, { title: t('hero.title'), name: configuration.brand }),
    description: t('hero.text'),
    features: {
      title: t('features.title'),
      entries: module.features.map((icon, at): FeatureEntry => {
        const n = at + 1;
        return { icon, title: t(`features.${n}.title`), text: t(`features.${n}.text`) };
      }),
    },
    steps: {
      title: t('helps.title'),
      entries: count(module.helps).map(
        (n): StepEntry => ({ title: t(`helps.${n}.title`), text: t(`helps.${n}.text`) }),
      ),
    },
    faq: {
      title: t('faq.title'),
      entries: count(module.faq).map(
        (n): FaqEntry => ({ question: t(`faq.${n}.question`), answer: t(`faq.${n}.answer`) }),
      ),
    },
    qr: drawQrCode(services.origin + canonicalPath),
  };
}

/** The site's other downloader pages in a language, for posts that lack what this one is for. */
function otherPages(
  { configuration }: SiteServices,
  { page }: DownloaderModule,
  locale: Locale,
): OtherPage[] {
  return listModules(configuration)
    .filter((other) => other.page !== page && siteHas(configuration, other.page, locale))
    .map((other) => ({
      href: linkTo(configuration, locale, other.page),
      buttons: other.download_info.download_btns,
    }));
}

/** 1, 2, … up to the given number. */
function count(length: number): number[] {
  return Array.from({ length }, (_, at) => at + 1);
}
