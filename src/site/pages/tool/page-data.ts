import type { Locale } from '../../../i18n/languages.ts';
import { createTranslate, type Messages } from '../../../i18n/translate.ts';
import { type Address, linkTo } from '../../addressing/addresses.ts';
import { sharePicture } from '../../addressing/share-picture.ts';
import { listModules, siteHas } from '../../addressing/site-pages.ts';
import type { DownloaderModule, SiteConfiguration } from '../../configuration/configuration.ts';
import type { SiteServices } from '../../loaders/services.ts';
import type { OtherPage } from './files/choose-options.ts';
import {
  type Fact,
  type Formats,
  factsOf,
  formatsOf,
  type Showcase,
  showcaseOf,
} from './introduction/introduction.ts';
import type { FaqEntry, FeatureEntry, StepEntry } from './introduction/sections.tsx';
import { drawQrCode } from './qr/qr.ts';
import { resultCatalogues } from './result/result-parts.tsx';
import { severalLinksCatalogues } from './state/several-links.tsx';

/** The data of a downloader page before its first use. */
export type ToolPageData = ReturnType<typeof makePageData> & {
  /** A link to try; null while its post is gone. */
  readonly exampleUrl: string | null;
  readonly facts: readonly Fact[];
  readonly formats: Formats;
  readonly showcase: Showcase | null;
};

/** Messages of the code that shows a result or a list; a page without either loads them when it needs them. */
export const outcomeMessages = (services: SiteServices, locale: Locale): Messages =>
  Object.assign(
    {},
    ...[...resultCatalogues(), ...severalLinksCatalogues()].map((name) => services.messages(locale, name)),
  );

/** Messages of the link box, its errors and the placeholder; a result brings the others. */
const firstMessages = /^(?:link|status|failure|recent|qr)\.|^conversion\.cancel$/;

/** The data of a downloader page. */
export function toolPageData(
  services: SiteServices,
  address: Address,
  module: DownloaderModule,
): ToolPageData {
  const { locale, canonicalPath } = address;
  const { configuration } = services;
  const messages = services.messages(locale, module.lang_file);
  const tool = services.messages(locale, 'tool');
  const landing = services.messages(locale, 'landing');
  const settings = services.visitorSettings(locale);
  const qrText = services.origin + canonicalPath;
  const t = createTranslate<'landing'>(locale, landing);
  return {
    ...makePageData(address, module, messages, tool, qrText, configuration),
    exampleUrl: exampleOf(services, module),
    facts: factsOf(configuration, settings, t),
    formats: formatsOf(module.download_info.download_btns, t),
    showcase: showcaseOf(module.download_info.download_btns, t),
  };
}

/** The page's long texts arrive translated, so that the browser needs only the tool's own messages. */
function makePageData(
  { locale, canonicalPath }: Address,
  module: DownloaderModule,
  messages: Messages,
  tool: Messages,
  qrText: string,
  configuration: SiteConfiguration,
) {
  // The configuration names the catalogue; all of them have the home page's keys.
  const t = createTranslate<'home'>(locale, messages);
  return {
    locale,
    path: canonicalPath,
    messages: Object.fromEntries(Object.entries(tool).filter(([key]) => firstMessages.test(key))),
    buttons: module.download_info.download_btns,
    others: otherPages(module, locale, configuration),
    asking: { page: module.page, extra: module.download_info.extraParams },
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
    qr: drawQrCode(qrText),
  };
}

function exampleOf(services: Pick<SiteServices, 'isDeadExample'>, { download_info }: DownloaderModule) {
  const { example_url } = download_info;
  return services.isDeadExample(example_url) ? null : example_url;
}

/** The site's other downloader pages in a language, for posts that lack what this one is for. */
function otherPages(
  { page }: DownloaderModule,
  locale: Address['locale'],
  configuration: SiteConfiguration,
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
