import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { languages } from '../../../i18n/languages.ts';
import { linkTo } from '../../addressing/addresses.ts';
import { findModule, listPages, siteHas } from '../../addressing/site-pages.ts';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import { openStaticPage, translateFor } from '../../loaders/page-context.ts';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';

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

/** The site map for people. */
export default function SiteMapPage() {
  const { head, title, intro, parts, ...page } = useLoaderData<typeof loader>();
  const { addresses } = useDocument();
  return (
    <ProsePage title={title} intro={intro} variant={false} className="site-map">
      <PageHead {...head} />
      {parts.map((part) => (
        <section key={part.title}>
          <h2>{part.title}</h2>
          <ul>
            {part.links.map(({ href, text }) => (
              <li key={href}>
                <Link to={href}>{text}</Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h2>{page.languages}</h2>
        <ul>
          {addresses.languages.map(({ locale, href }) => (
            <li key={locale}>
              <Link to={href} lang={languages[locale].lang} hrefLang={languages[locale].hreflang}>
                {languages[locale].name}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </ProsePage>
  );
}
