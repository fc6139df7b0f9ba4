import { packMessages } from '../../../i18n/packed-messages.ts';
import { createTranslate } from '../../../i18n/translate.ts';
import type { Address } from '../../addresses.ts';
import type { DownloaderModule } from '../../configuration.ts';
import type { SiteServices } from '../../services.ts';
import { drawQrCode } from './qr.ts';
import type { FaqEntry, FeatureEntry, StepEntry } from './sections.tsx';

/**
 * Everything that a downloader page shows before anybody uses it. Its long texts come ready, so that the browser gets
 * only the tool's own messages.
 */
export function loadToolPage(services: SiteServices, address: Address, module: DownloaderModule) {
  const { locale, canonicalPath } = address;
  // Which catalogue it is, the configuration says; all of them have the keys of the home page.
  const t = createTranslate<'home'>(locale, services.messages(locale, module.catalogue));
  return {
    kind: 'tool' as const,
    locale,
    path: canonicalPath,
    // The router takes a form sent to "/" for one to the layout around the home page, which answers none.
    formAction: canonicalPath === '/' ? '/?index' : canonicalPath,
    messages: packMessages(services.messages(locale, 'tool')),
    buttons: module.buttons,
    exampleUrl: module.exampleUrl,
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('hero.title'),
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

/** 1, 2, … as many as asked for. */
function count(length: number): number[] {
  return Array.from({ length }, (_, at) => at + 1);
}
