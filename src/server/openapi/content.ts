import { type Paths, query } from './describe.ts';

const listed = (description: string, data: object) => ({
  200: {
    description,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { cscode: { const: 200 }, data },
          required: ['cscode', 'data'],
        },
      },
    },
  },
});
const number = { type: 'integer', minimum: 0 };
const language = query('language', 'A language of the site.', {}, true);
const ignored = query('origin_url', 'Not looked at.');
const articles = { type: 'array', items: { type: 'object' } } as const;

/** The calls after the lists of articles and categories. */
export const contentPaths: Paths = {
  '/category/list': {
    get: {
      operationId: 'listCategories',
      summary: 'The categories of articles.',
      parameters: [
        language,
        query('is_simple', '1 leaves out descriptions and counts.', { enum: ['0', '1'] }),
        ignored,
      ],
      responses: listed('The categories, each with its children.', articles),
    },
  },
  '/stars/article/recently_hot_article': {
    get: {
      operationId: 'listArticles',
      summary: 'The articles that are read most lately, read most of all, and newest.',
      parameters: [
        language,
        query('module', 'Always posts.', { enum: ['posts'] }),
        query('len', 'How many of each.', { ...number, maximum: 100, default: 10 }),
        query('start', 'How many of each to leave out.', { ...number, default: 0 }),
        ignored,
      ],
      responses: listed('The three lists.', {
        type: 'object',
        properties: { hot: articles, top: articles, recently: articles },
        required: ['hot', 'top', 'recently'],
      }),
    },
  },
};
