import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { writeCategories, writeSelection } from '../../content/remote/wire.ts';
import { refuseStandIn } from '../../content/stand-in.ts';
import { Failure } from '../../failures/failures.ts';
import type { Locale } from '../../i18n/languages.ts';
import { linkTo } from '../../site/addressing/addresses.ts';
import type { ServerDependencies } from '../instance/parts.ts';

const wholeNumber = (most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.number().max(most));

const categoryQuery = z.object({ language: z.string(), is_simple: z.enum(['0', '1']).default('0') });
const articleQuery = z.object({
  language: z.string(),
  module: z.literal('posts').default('posts'),
  len: wholeNumber(100).default(10),
  start: wholeNumber(1000).default(0),
});

/** A short time for caches between the site and its readers: what is hot changes by the second. */
const headers = { 'cache-control': 'public, max-age=10' };

/** `GET /category/list` and `GET /stars/article/recently_hot_article`: `cscode` 200 and `data`. */
export function contentCalls(
  app: FastifyInstance,
  { configuration, content, origin, limits }: ServerDependencies,
): void {
  function read<S extends z.ZodType<{ language: string }>>(schema: S, query: unknown) {
    const checked = schema.safeParse(query);
    if (!checked.success) throw new Failure('request_invalid', { cause: checked.error, note: 'wrong query' });
    const locale = configuration.locales.find((known) => known === checked.data.language);
    if (locale === undefined) throw new Failure('request_invalid', { note: 'no language of the site' });
    return { ...checked.data, locale: locale as Locale };
  }

  app.get('/category/list', async (request, reply) => {
    await limits.lists(request.visitor);
    const { locale, is_simple } = read(categoryQuery, request.query);
    const categories = await content.categories(locale);
    refuseStandIn(categories);
    const data = writeCategories(categories, is_simple === '1');
    return reply.headers(headers).send({ cscode: 200, data });
  });

  app.get('/stars/article/recently_hot_article', async (request, reply) => {
    await limits.lists(request.visitor);
    const { locale, start, len } = read(articleQuery, request.query);
    const lists = await content.selection({ locale, start, size: len });
    refuseStandIn(lists);
    const data = writeSelection(
      lists,
      ({ slug }) => new URL(linkTo(configuration, locale, slug), origin).href,
    );
    return reply.headers(headers).send({ cscode: 200, data });
  });
}
