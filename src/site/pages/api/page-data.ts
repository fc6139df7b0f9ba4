import type { Translate } from '../../../i18n/translate.ts';
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

const post = [
  'platform',
  'id',
  'url',
  'kind',
  'author',
  'title-field',
  'duration_s',
  'cover_url',
  'cover_href',
  'versions',
  'captions',
  'sound',
  'created_at',
  'stats',
  'thin',
  'slides',
] as const;
const option = [
  'id',
  'format',
  'label',
  'codec',
  'size',
  'bytes',
  'href',
  'status_href',
  'preview_url',
  'whole_only',
  'may_have_watermark',
] as const;
const status = ['state', 'ahead', 'progress', 'bytes', 'error'] as const;

const types: Readonly<Record<string, string>> = {
  author: 'object',
  duration_s: 'number',
  size: 'number | null',
  whole_only: 'true',
  may_have_watermark: 'true',
  bytes: 'number | null',
  ahead: 'number | null',
  progress: 'number',
  error: 'object | null',
  cover_url: 'string | null',
  sound: 'object | null',
  created_at: 'string | null',
  stats: 'object',
  slides: 'number',
  thin: 'true',
  versions: 'object[]',
  captions: 'object[]',
  codec: 'string | null',
};

/** Fields whose message has another name, because their own was taken or is shared by two fields. */
const fieldNames: Readonly<Record<string, string>> = { 'title-field': 'title', size: 'width, height' };
const nameOf = (key: string) => fieldNames[key] ?? key;
const typeOf = (key: string) => types[key] ?? 'string';

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

type T = Translate<'api'>;

const emptySection = { call: null, examples: [], columns: [], rows: [] };

/** A table of fields that a response has. */
const fieldTable = <Key extends string>(t: T, keys: readonly Key[], meaning: (key: Key) => string) => ({
  columns: [t('column.name'), t('column.type'), t('column.meaning')],
  rows: keys.map((key) => [nameOf(key), typeOf(key), meaning(key)]),
});

/** Sections about resolving a link. */
function resolveSections(t: T, request: string): ApiSection[] {
  return [
    {
      ...emptySection,
      id: 'resolve',
      title: t('resolve.title'),
      call: 'POST /api/resolve',
      paragraphs: [t('resolve.text')],
      examples: [
        { title: t('example.request'), code: request },
        { title: t('example.answer'), code: exampleResponse },
      ],
    },
    {
      ...emptySection,
      id: 'post',
      title: t('post.title'),
      paragraphs: [],
      ...fieldTable(t, post, (key) => t(`post.${key}`)),
    },
    {
      ...emptySection,
      id: 'options',
      title: t('options.title'),
      paragraphs: [t('options.text')],
      ...fieldTable(t, option, (key) => t(`options.${key}`)),
    },
  ];
}

/** The section about posts of a sound, a creator or a hashtag. */
const listSection = (t: T): ApiSection => ({
  ...emptySection,
  id: 'list',
  title: t('list.title'),
  call: 'POST /api/list',
  paragraphs: [t('list.text')],
});

/** The section of programs to copy. */
const recipeSection = (t: T, origin: string): ApiSection => ({
  ...emptySection,
  id: 'recipes',
  title: t('recipes.title'),
  paragraphs: [t('recipes.text')],
  examples: [
    { title: t('recipes.links'), code: linksRecipe(origin) },
    { title: t('recipes.telegram'), code: telegramRecipe(origin) },
    { title: t('recipes.bookmarklet'), code: bookmarkletRecipe(origin) },
    { title: t('recipes.shortcut'), code: shortcutRecipe(origin) },
  ],
});

/** Sections about fetching files. */
function fileSections(t: T): ApiSection[] {
  return [
    {
      ...emptySection,
      id: 'files',
      title: t('files.title'),
      call: `GET /api/files/${exampleTicket}`,
      paragraphs: [t('files.text'), t('files.ranges'), t('files.ready'), t('files.cut'), t('files.made')],
    },
    {
      ...emptySection,
      id: 'zip',
      title: t('zip.title'),
      call: 'GET /api/files/zip?file=…&file=…',
      paragraphs: [t('zip.text'), t('zip.ready')],
    },
    {
      ...emptySection,
      id: 'status',
      title: t('status.title'),
      call: `GET /api/files/${exampleTicket}/status`,
      paragraphs: [t('status.text'), t('status.one')],
      ...fieldTable(t, status, (key) => t(`status.${key}`)),
    },
    {
      ...emptySection,
      id: 'cancel',
      title: t('cancel.title'),
      call: `DELETE /api/files/${exampleTicket}/status`,
      paragraphs: [t('cancel.text')],
    },
  ];
}

/** The rules of every call. @param errors messages by key, status and text */
function ruleSections(t: T, requestWithKey: string, errors: ApiSection['rows']): ApiSection[] {
  return [
    {
      ...emptySection,
      id: 'limits',
      title: t('limits.title'),
      paragraphs: [t('limits.text'), t('limits.fair')],
    },
    {
      ...emptySection,
      id: 'keys',
      title: t('keys.title'),
      paragraphs: [t('keys.text')],
      examples: [{ title: t('example.request'), code: requestWithKey }],
    },
    {
      ...emptySection,
      id: 'errors',
      title: t('errors.title'),
      paragraphs: [t('errors.text'), t('errors.site')],
      columns: [t('column.key'), t('column.status'), t('column.message')],
      rows: errors,
    },
  ];
}

/** The API's description for people; its texts arrive translated, so that the browser needs no messages for it. */
export function loadApiPage(services: SiteServices, address: Address) {
  const t = translateFor({ services, address }, 'api');
  const messages = services.messages(address.locale, 'errors');
  const { example_url } = services.configuration.index_info.download_info;
  return {
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('title'),
    intro: t('intro'),
    openapi: t('openapi'),
    sections: [
      ...resolveSections(t, exampleRequest(services.origin, example_url)),
      listSection(t),
      ...fileSections(t),
      recipeSection(t, services.origin),
      ...ruleSections(
        t,
        exampleRequest(services.origin, example_url, 'clipferry_…'),
        services.failures.map(({ key, status: code }) => [key, String(code), String(messages[key] ?? '')]),
      ),
    ],
  };
}
