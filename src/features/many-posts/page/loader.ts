import type { LoaderFunctionArgs } from 'react-router';
import { openStaticPage, translateFor } from '../../../site/loaders/page-context.ts';
import { paceService } from '../pace.ts';

/** What the page says without scripts arrives translated; the rest comes as a catalogue. */
export function loader(request: LoaderFunctionArgs) {
  const page = openStaticPage(request, 'many-posts');
  const { services, address } = page;
  const t = translateFor(page, 'many-posts');
  return {
    locale: address.locale,
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('title'),
    intro: t('intro'),
    isPrivate: t('private'),
    how: { title: t('how.title'), steps: [t('how.ask'), t('how.wait'), t('how.drop')] },
    scripts: t('scripts'),
    siteName: services.configuration.brand,
    pace: paceService.of(services),
    messages: services.messages(address.locale, 'many-posts'),
  };
}
