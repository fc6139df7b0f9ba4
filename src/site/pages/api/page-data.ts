import type { Address } from '../../addressing/addresses.ts';
import { translateFor } from '../../loaders/page-context.ts';
import type { SiteServices } from '../../loaders/services.ts';
import { bookmarkletRecipe, linksRecipe, shortcutRecipe, telegramRecipe } from './recipes.ts';

/** A part of the page: texts, an example, a table. */
export interface ApiSection {
  readonly id: string;
  readonly title: string;
  /** Method and address; null for parts that are no call. */
  readonly call: string | null;
  readonly paragraphs: readonly string[];
  readonly examples: readonly { readonly title: string; readonly code: string }[];
  readonly columns: readonly string[];
  /** The first cell of each row is a name that programs use. */
  readonly rows: readonly (readonly string[])[];
}

const exampleTicket = '1.tiktok.7615133378163811813.mp3.16r4o.…';

/** Names of fields in the catalogue, and their types. */
const post = [
  ['platform', 'string'],
  ['id', 'string'],
  ['url', 'string'],
  ['kind', 'string'],
  ['author', 'object'],
  ['title-field', 'string'],
  ['duration_s', 'number'],
  ['cover_url', 'string | null'],
  ['cover_href', 'string'],
  ['versions', 'object[]'],
  ['captions', 'object[]'],
  ['sound', 'object | null'],
  ['created_at', 'string | null'],
  ['stats', 'object'],
  ['thin', 'true'],
  ['slides', 'number'],
] as const;

const option = [
  ['id', 'string'],
  ['format', 'string'],
  ['label', 'string'],
  ['codec', 'string | null'],
  ['size', 'number | null'],
  ['bytes', 'number | null'],
  ['href', 'string'],
  ['status_href', 'string'],
  ['preview_url', 'string'],
  ['whole_only', 'true'],
  ['may_have_watermark', 'true'],
] as const;

const status = [
  ['state', 'string'],
  ['ahead', 'number | null'],
  ['progress', 'number'],
  ['bytes', 'number | null'],
  ['error', 'object | null'],
] as const;

/** Fields whose message has another name, because their own was taken or is shared by two fields. */
const fieldNames: Readonly<Record<string, string>> = { 'title-field': 'title', size: 'width, height' };

/** @param key of the API, where one is sent */
function exampleRequest(origin: string, url: string, key?: string): string {
  return [
    `curl ${origin}/api/resolve \\`,
    ...(key === undefined ? [] : [`  -H 'authorization: Bearer ${key}' \\`]),
    `  -H 'content-type: application/json' \\`,
    `  -d '{ "url": "${url}" }'`,
  ].join('\n');
}

const exampleResponse = `{
  "code": 200,
  "result": {
    "post": { "platform": "tiktok", "id": "7615133378163811813", "kind": "video", … },
    "options": [
      { "id": "mp4", "format": "mp4", "width": 720, "height": 1280, "href": "/api/files/…", … },
      { "id": "mp3", "format": "mp3", "href": "/api/files/…", "status_href": "/api/files/…/status", … }
    ]
  }
}`;

const emptySection = { call: null, paragraphs: [], examples: [], columns: [], rows: [] };

/** The API's description for people; its texts arrive translated, so that the browser needs no messages for it. */
export function loadApiPage(services: SiteServices, address: Address) {
  const { origin, configuration, failures } = services;
  const t = translateFor({ services, address }, 'api');
  const messages = services.messages(address.locale, 'errors');
  const { example_url } = configuration.index_info.download_info;
  /** A table of fields that a response has. */
  const fields = <Key extends string>(
    rows: readonly (readonly [Key, string])[],
    meaning: (key: Key) => string,
  ) => ({
    columns: [t('column.name'), t('column.type'), t('column.meaning')],
    rows: rows.map(([key, type]) => [fieldNames[key] ?? key, type, meaning(key)]),
  });
  const sections: readonly (Partial<ApiSection> & Pick<ApiSection, 'id' | 'title'>)[] = [
    {
      id: 'resolve',
      title: t('resolve.title'),
      call: 'POST /api/resolve',
      paragraphs: [t('resolve.text')],
      examples: [
        { title: t('example.request'), code: exampleRequest(origin, example_url) },
        { title: t('example.answer'), code: exampleResponse },
      ],
    },
    { id: 'post', title: t('post.title'), ...fields(post, (key) => t(`post.${key}`)) },
    {
      id: 'options',
      title: t('options.title'),
      paragraphs: [t('options.text')],
      ...fields(option, (key) => t(`options.${key}`)),
    },
    { id: 'list', title: t('list.title'), call: 'POST /api/list', paragraphs: [t('list.text')] },
    {
      id: 'files',
      title: t('files.title'),
      call: `GET /api/files/${exampleTicket}`,
      paragraphs: [t('files.text'), t('files.ranges'), t('files.ready'), t('files.cut'), t('files.made')],
    },
    {
      id: 'zip',
      title: t('zip.title'),
      call: 'GET /api/files/zip?file=…&file=…',
      paragraphs: [t('zip.text'), t('zip.ready')],
    },
    {
      id: 'status',
      title: t('status.title'),
      call: `GET /api/files/${exampleTicket}/status`,
      paragraphs: [t('status.text'), t('status.one')],
      ...fields(status, (key) => t(`status.${key}`)),
    },
    {
      id: 'cancel',
      title: t('cancel.title'),
      call: `DELETE /api/files/${exampleTicket}/status`,
      paragraphs: [t('cancel.text')],
    },
    {
      id: 'recipes',
      title: t('recipes.title'),
      paragraphs: [t('recipes.text')],
      examples: [
        { title: t('recipes.links'), code: linksRecipe(origin) },
        { title: t('recipes.telegram'), code: telegramRecipe(origin) },
        { title: t('recipes.bookmarklet'), code: bookmarkletRecipe(origin) },
        { title: t('recipes.shortcut'), code: shortcutRecipe(origin) },
      ],
    },
    { id: 'limits', title: t('limits.title'), paragraphs: [t('limits.text'), t('limits.fair')] },
    {
      id: 'keys',
      title: t('keys.title'),
      paragraphs: [t('keys.text')],
      examples: [{ title: t('example.request'), code: exampleRequest(origin, example_url, 'clipferry_…') }],
    },
    {
      id: 'errors',
      title: t('errors.title'),
      paragraphs: [t('errors.text'), t('errors.site')],
      columns: [t('column.key'), t('column.status'), t('column.message')],
      rows: failures.map(({ key, status: code }) => [key, String(code), String(messages[key] ?? '')]),
    },
  ];
  return {
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('title'),
    intro: t('intro'),
    openapi: t('openapi'),
    sections: sections.map((section): ApiSection => ({ ...emptySection, ...section })),
  };
}
