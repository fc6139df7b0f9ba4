import type { Kysely } from 'kysely';
import { isLocale } from '../../../i18n/languages.ts';
import { linkTo } from '../../../site/addressing/addresses.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { NewPushMessage } from '../contracts.ts';
import type { PushStore } from '../push-store.ts';

/** The operator's notification: own words, or an article in each of its languages. */
export interface PushWish {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** With or without the origin of this site. */
  readonly url?: string | undefined;
  /** Left out for all of them. */
  readonly language?: string | undefined;
  /** Key of an article. */
  readonly article?: string | undefined;
}

/** A wish that cannot be sent, and what of it is wrong. */
export class WrongPush extends Error {
  override readonly name = 'WrongPush';
  readonly field: keyof PushWish;

  constructor(field: keyof PushWish, text: string) {
    super(text);
    this.field = field;
  }
}

interface PushSite {
  readonly configuration: SiteConfiguration;
  readonly origin: string;
}

/** A message must fit into the 4096 bytes that push services take, encrypted. */
const mostBytes = 3000;

function languageOf({ language }: PushWish, { locales }: SiteConfiguration): string | null {
  if (language === undefined) return null;
  if (!isLocale(language) || !locales.includes(language))
    throw new WrongPush('language', `the site has no language "${language}"`);
  return language;
}

/** A path of this site, whether it was given with or without the origin. */
function pathOf(url: string, origin: string): string {
  const found = URL.parse(url, origin);
  if (found === null || found.origin !== origin) throw new WrongPush('url', `${url} is not on this site`);
  return found.pathname + found.search + found.hash;
}

function ownMessage(wish: PushWish, origin: string, language: string | null): NewPushMessage {
  const { title, body = '', url = '/' } = wish;
  if (title === undefined || title.trim() === '')
    throw new WrongPush('title', 'there is neither a title nor an article');
  return { title, body, url: pathOf(url, origin), language };
}

/** One message for each language that an article has. */
async function articleMessages(
  query: Kysely<Tables>,
  configuration: SiteConfiguration,
  article: string,
  language: string | null,
): Promise<NewPushMessage[]> {
  let rows = query
    .selectFrom('articles')
    .select(['locale', 'slug', 'title', 'description'])
    .where('key', '=', article)
    .where('unpublished_at', 'is', null);
  if (language !== null) rows = rows.where('locale', '=', language);
  const found = await rows.execute();
  if (found.length === 0) throw new WrongPush('article', `there is no article "${article}"`);
  return found.flatMap(({ locale, slug, title, description }) =>
    isLocale(locale) && configuration.locales.includes(locale)
      ? [{ title, body: description, url: linkTo(configuration, locale, slug), language: locale }]
      : [],
  );
}

/** The messages that a wish means. @throws WrongPush */
export async function messagesFor(
  query: Kysely<Tables>,
  { configuration, origin }: PushSite,
  wish: PushWish,
): Promise<NewPushMessage[]> {
  const language = languageOf(wish, configuration);
  const messages =
    wish.article === undefined
      ? [ownMessage(wish, origin, language)]
      : await articleMessages(query, configuration, wish.article, language);
  for (const message of messages)
    if (Buffer.byteLength(JSON.stringify(message)) > mostBytes)
      throw new WrongPush('body', `the message is longer than ${mostBytes} bytes`);
  return messages;
}

/** Messages with their numbers of devices. */
export const withSubscribers = (store: Pick<PushStore, 'count'>, messages: readonly NewPushMessage[]) =>
  Promise.all(
    messages.map(async (message) => ({ ...message, subscribers: await store.count(message.language) })),
  );
