import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import { isLocale, type Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { findModule, siteHas } from '../../site/addressing/site-pages.ts';
import type { ServerParts } from '../parts.ts';
import { type ShareFacts, shareDrawing } from './drawing.ts';

type Parts = Pick<ServerParts, 'configuration' | 'content' | 'drawer' | 'limits'>;

/** Some three hundred pictures. */
const maxBytes = 8 * 2 ** 20;

const pathPattern = /^([a-z]{2})(?:\/([a-z0-9]+(?:-[a-z0-9]+)*))?\.png$/;

/** What a picture says, and the name of the cover in it, by which it is known again. */
interface PictureFacts extends ShareFacts {
  readonly coverId: string | null;
}

/** What the picture of a page says; null for a page that has none of its own. */
async function factsOf(parts: Parts, locale: Locale, page: string): Promise<PictureFacts | null> {
  const { configuration, content } = parts;
  const { name } = configuration;
  const module = findModule(configuration, page);
  if (module !== undefined) {
    if (!siteHas(configuration, page, locale)) return null;
    const t = createTranslate<'home'>(locale, loadMessages(locale, module.catalogue));
    const isSound = module.buttons.every((button) => button === 'mp3' || button === 'm4a');
    return { locale, name, title: t('hero.title'), cover: null, coverId: null, isSound };
  }
  const article = await content.article(locale, page);
  if (article === null) return null;
  const { cover, title } = article;
  const format = cover?.widths.length === 0 ? 'svg' : 'jpg';
  const width = cover?.widths.find((one) => one >= 640) ?? cover?.width ?? 0;
  const bytes = cover === null ? null : await content.pictureFile(cover.id, width, format);
  const coverId = bytes === null ? null : (cover?.id ?? null);
  return { locale, name, title, cover: bytes, coverId, isSound: false };
}

/** `GET /share/{language}.png` and `/share/{language}/{page}.png`: what others show where a page is shared. */
export function sharePictures(app: FastifyInstance, parts: Parts): void {
  const drawn = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length });
  const underWay = new Map<string, Promise<Buffer | null>>();

  async function pictureOf(facts: PictureFacts): Promise<Buffer | null> {
    const { locale, name, title, isSound, coverId } = facts;
    const key = [locale, name, title, isSound, coverId].join('\n');
    const known = drawn.get(key);
    if (known !== undefined) return known;
    const drawing = underWay.get(key) ?? parts.drawer.draw(shareDrawing(facts));
    underWay.set(key, drawing);
    try {
      const picture = await drawing;
      if (picture !== null) drawn.set(key, picture);
      return picture;
    } finally {
      underWay.delete(key);
    }
  }

  app.get<{ Params: { '*': string } }>('/share/*', async (request, reply) => {
    const [, language = '', page = ''] = pathPattern.exec(request.params['*']) ?? [];
    const isOurs = isLocale(language) && parts.configuration.locales.includes(language);
    if (isOurs) await parts.limits.lists(request.visitor);
    const facts = isOurs ? await factsOf(parts, language, page) : null;
    if (facts === null) throw new Failure('picture_missing');
    const picture = await pictureOf(facts);
    if (picture === null) throw new Failure('overloaded', { retryAfterS: 5 });
    return reply.type('image/png').header('cache-control', 'public, max-age=604800').send(picture);
  });
}
