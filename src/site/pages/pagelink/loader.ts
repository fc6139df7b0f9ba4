import type { LoaderFunctionArgs } from 'react-router';
import { linkTo } from '../../addressing/addresses.ts';
import { findModule, listPages, siteHas } from '../../addressing/site-pages.ts';
import { openStaticPage, translateFor } from '../../loaders/page-context.ts';

/** The data of the site map: every page and language of the site. */
export function loader(request: LoaderFunctionArgs) {
  const page = openStaticPage(request, 'pagelink');
  const { services, address } = page;
  const { configuration } = services;
  const { locale } = address;
  const t = translateFor(page, 'common', 'pagelink');
  const pages = listPages(configuration)
    .filter((page) => siteHas(configuration, page, locale))
    .map((page) => {
      const module = findModule(configuration, page);
      return {
        href: linkTo(configuration, locale, page),
        text: t(`menu.${module?.text ?? page}` as Parameters<typeof t>[0]),
        isDownloader: module !== undefined,
      };
    });
  return {
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('title'),
    intro: t('intro'),
    parts: [
      { title: t('downloaders'), links: pages.filter(({ isDownloader }) => isDownloader) },
      { title: t('other'), links: pages.filter(({ isDownloader }) => !isDownloader) },
    ],
    languages: t('languages'),
  };
}
