import { type ActionFunctionArgs, data, type HeadersArgs, type LoaderFunctionArgs } from 'react-router';
import { isLocale, languages } from '../../../i18n/languages.ts';
import { type FormName, type FormOutcome, forms, statusOf } from '../../forms.ts';
import { openStaticPage, translateFor } from '../../loaders/page-context.ts';
import { readForm } from './read-form.ts';

/** The form of a page's address. */
function openForm(request: Pick<LoaderFunctionArgs, 'url' | 'context'>) {
  const context = openStaticPage(request, ...Object.keys(forms));
  return { context, ...context, form: context.address.page as FormName };
}

/** The data of a page with a form and a document. */
export async function loadFormPage(request: LoaderFunctionArgs) {
  const { context, services, address, form } = openForm(request);
  const { locale } = address;
  const t = translateFor(context, form);
  const { text, ...document } = await services.contentRenderer.legal(form, locale);
  const isTranslated = document.locale === locale;
  return {
    form,
    locale,
    variant: address.variant,
    action: request.url.pathname,
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('title'),
    intro: t('intro'),
    lang: isTranslated || !isLocale(document.locale) ? undefined : languages[document.locale].lang,
    nodes: text.nodes,
    messages: services.messages(locale, 'forms'),
  };
}

/** Handles the form without scripts: the same page again, with the outcome. */
export async function handleForm(request: ActionFunctionArgs) {
  const { services, address, form } = openForm(request);
  const { locale } = address;
  const given = await readForm(request.request, locale, services);
  if (!(given instanceof FormData)) {
    const refused: FormOutcome = { kind: 'refused', message: given.error.message };
    return data(refused, { status: given.code, headers: { 'cache-control': 'no-store' } });
  }
  const outcome = await services.sendMessage({ form, locale, given: Object.fromEntries(given) });
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (outcome.kind === 'failed' && outcome.retryAfterS !== undefined)
    headers.set('retry-after', String(outcome.retryAfterS));
  return data(outcome, { status: statusOf(outcome), headers });
}

/** The response belongs to one visitor: its cache header goes with the page. */
export const formHeaders = ({ actionHeaders }: HeadersArgs): Headers => actionHeaders;
