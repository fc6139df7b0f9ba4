import { errorPictureBox, errorPictureShapes } from '../../layout/error/error-picture-shapes.ts';
import { languageOf, textIn } from './requests.ts';
import type { SiteWorkerSettings } from './settings.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const picture = `<svg class="error-picture" viewBox="${errorPictureBox}" aria-hidden="true" focusable="false">${errorPictureShapes
  .map(({ element, name, attributes }) => {
    const written = Object.entries(attributes).map(([attribute, value]) => `${attribute}="${value}"`);
    return `<${element} class="error-picture-${name}" ${written.join(' ')}/>`;
  })
  .join('')}</svg>`;

/**
 * The page shown in place of an unavailable one, in its language: it keeps the typed or shared text in its own address,
 * and reloads that as soon as there is a network.
 */
export function writeOfflinePage(url: URL, settings: SiteWorkerSettings): string {
  const language = languageOf(url.pathname, settings);
  const { lang, direction, home, texts } = language;
  const { themeScript, script, styles } = settings.offlinePage;
  const text = textIn(url.searchParams);
  const action = text === '' ? home : url.pathname;
  return `<!DOCTYPE html><html lang="${lang}" dir="${direction}"><head><meta charset="utf-8"><script>${themeScript}</script><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${escaped(texts.title)}</title>${styles
    .map((href) => `<link rel="stylesheet" href="${escaped(href)}">`)
    .join('')}</head>
<body><main id="content" class="offline"><section class="hero"><div class="container hero-content"><h1>${escaped(texts.title)}</h1>
<p class="hero-text" role="status">${escaped(text === '' ? texts.page : texts.link)}</p>
<div class="hero-form"><form class="link-box" action="${escaped(action)}"><label class="visually-hidden" for="link">${escaped(texts.label)}</label>
<div class="link-field"><input id="link" name="url" type="text" inputmode="url" enterkeyhint="go" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="${escaped(texts.placeholder)}" value="${escaped(text)}"></div>
<button type="submit" class="button button-action link-submit"><span>${escaped(texts.submit)}</span></button></form></div>
<p class="hero-below"><a class="button button-quiet hero-example" href=""><span>${escaped(texts.retry)}</span></a>
<a class="button button-quiet hero-example" href="${escaped(home)}"><span>${escaped(texts.toHome)}</span></a></p></div></section><div class="container offline-picture">${picture}</div></main><script>${script}</script></body></html>
`;
}
