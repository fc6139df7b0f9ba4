import type { Paths } from './describe.ts';

const text = { type: 'string' } as const;
const number = { type: 'integer' } as const;

const body = (schema: object) => ({ 'application/json': { schema } });
const success = (description: string, data: object) => ({
  200: {
    description,
    content: body({
      type: 'object',
      properties: { cscode: { const: 200 }, data },
      required: ['cscode', 'data'],
    }),
  },
});

const query = (name: string, schema: object, description: string, required = false) => ({
  name,
  in: 'query',
  required,
  schema,
  description,
});

const language = query('language', text, 'A language of the site.', true);
const articles = { type: 'array', items: { type: 'object' } } as const;

/** The calls after the lists of articles and categories. */
export const contentPaths: Paths = {
  '/category/list': {
    get: {
      operationId: 'listCategories',
      summary: 'The categories of articles.',
      parameters: [
        language,
        query('is_simple', { enum: ['0', '1'] }, '1 leaves out descriptions and counts.'),
        query('origin_url', text, 'Not looked at.'),
      ],
      responses: { ...success('The categories, each with its children.', articles) },
    },
  },
  '/stars/article/recently_hot_article': {
    get: {
      operationId: 'listArticles',
      summary: 'The articles that are read most lately, read most of all, and newest.',
      parameters: [
        language,
        query('module', { enum: ['posts'] }, 'Always posts.'),
        query('len', { ...number, minimum: 0, maximum: 100, default: 10 }, 'How many of each.'),
        query('start', { ...number, minimum: 0, default: 0 }, 'How many of each to leave out.'),
        query('origin_url', text, 'Not looked at.'),
      ],
      responses: {
        ...success('The three lists.', {
          type: 'object',
          properties: { hot: articles, top: articles, recently: articles },
          required: ['hot', 'top', 'recently'],
        }),
      },
    },
  },
};
