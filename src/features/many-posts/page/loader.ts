import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from 'react-router';
import { linkTo, parseAddress } from '../../../site/addressing/addresses.ts';
import { openStaticPage, servicesContext, translateFor } from '../../../site/loaders/page-context.ts';
import { readForm } from '../../../site/pages/message-form/read-form.ts';
import { sharedText } from '../../../site/pages/tool/state/tool-response.ts';
import { paceService } from '../pace.ts';
import { sentMark } from '../paths.ts';

/** The texts that need no scripts arrive translated; the rest comes as a catalogue. */
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

/**
 * Takes a phone's share where no service worker does any more: it looks up a text, and says of files that they were sent
 * here. They are not kept, and large ones are refused before they have arrived.
 */
export async function action({ request, url, context }: ActionFunctionArgs) {
  const services = context.get(servicesContext);
  const { locale } = parseAddress(url.pathname, services.configuration);
  const form = await readForm(request, locale, services);
  const text = form instanceof FormData ? sharedText(form) : null;
  const isFile = (one: FormDataEntryValue) => one instanceof File && one.size > 0;
  if (!(form instanceof FormData) || form.getAll('files').some(isFile))
    return redirect(url.pathname + sentMark, 303);
  const home = linkTo(services.configuration, locale, '');
  return redirect(text === null ? url.pathname : `${home}?${new URLSearchParams({ text })}`, 303);
}
