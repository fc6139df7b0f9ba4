import { data, type LoaderFunctionArgs } from 'react-router';
import { isLocale, languages } from '../../../i18n/languages.ts';
import { showDate } from '../../articles/cards/dates.ts';
import { openStaticPage, translateFor } from '../../loaders/page-context.ts';

const documents = ['about', 'cookies-policy', 'legal-disclaimer', 'privacy-policy', 'terms-of-use'] as const;

/** The data of a legal document, in English with a note where a language has none. */
export async function loader(request: LoaderFunctionArgs) {
  const context = openStaticPage(request, ...documents);
  const { services, address } = context;
  const name = documents.find((document) => document === address.page);
  if (name === undefined) throw data(null, { status: 404 });
  const { locale } = address;
  const t = translateFor(context, 'legal');
  const { text, ...legal } = await services.contentRenderer.legal(name, locale);
  const isTranslated = legal.locale === locale;
  return {
    isAbout: name === 'about',
    variant: address.variant,
    head: {
      title: t(`${name}.head.title`),
      description: t(`${name}.head.description`),
      keywords: t(`${name}.head.keywords`),
    },
    title: t(`${name}.title`),
    intro: t(`${name}.head.description`),
    updated: t('updated', { date: showDate(Date.parse(legal.updated), locale).text }),
    notice: isTranslated ? null : t('untranslated'),
    lang: isTranslated || !isLocale(legal.locale) ? undefined : languages[legal.locale].lang,
    contents: t('contents'),
    headings: text.headings,
    nodes: text.nodes,
  };
}
