import type { Address } from '../../addressing/addresses.ts';
import { translateFor } from '../../loaders/page-context.ts';
import type { SiteServices } from '../../loaders/services.ts';

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
] as const;
const status = ['state', 'ahead', 'progress', 'bytes', 'error'] as const;

const types: Readonly<Record<string, string>> = {
  author: 'object',
  duration_s: 'number',
  size: 'number | null',
  whole_only: 'true',
  bytes: 'number | null',
  ahead: 'number | null',
  progress: 'number',
  error: 'object | null',
  cover_url: 'string | null',
  sound: 'object | null',
  created_at: 'string | null',
  slides: 'number',
  versions: 'object[]',
  captions: 'object[]',
  codec: 'string | null',
};

/** Fields whose message has another name, because their own was taken or is shared by two fields. */
const fieldNames: Readonly<Record<string, string>> = { 'title-field': 'title', size: 'width, height' };
const nameOf = (key: string) => fieldNames[key] ?? key;
const typeOf = (key: string) => types[key] ?? 'string';

function exampleRequest(origin: string, url: string): string {
  return [
    `curl ${origin}/api/resolve \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{ "url": "${url}" }'`,
  ].join('\n');
}

function exampleWithKey(origin: string, url: string): string {
  return [
    `curl ${origin}/api/resolve \\`,
    `  -H 'authorization: Bearer clipferry_…' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{ "url": "${url}" }'`,
  ].join('\n');
}

const exampleAnswer = `{
  "code": 200,
  "result": {
    "post": { "platform": "tiktok", "id": "7615133378163811813", "kind": "video", … },
    "options": [
      { "id": "mp4", "format": "mp4", "width": 720, "height": 1280, "href": "/api/files/…", … },
      { "id": "mp3", "format": "mp3", "href": "/api/files/…", "status_href": "/api/files/…/status", … }
    ]
  }
}`;

/** The API's description for people; its texts arrive translated, so that the browser needs no messages for it. */
export function loadApiPage(services: SiteServices, address: Address) {
  const { locale } = address;
  const t = translateFor({ services, address }, 'api');
  const errors = services.messages(locale, 'errors');
  const fields = [t('column.name'), t('column.type'), t('column.meaning')];
  const { exampleUrl } = services.configuration.home;
  const none = { call: null, examples: [], columns: [], rows: [] };
  const sections: ApiSection[] = [
    {
      id: 'resolve',
      title: t('resolve.title'),
      call: 'POST /api/resolve',
      paragraphs: [t('resolve.text')],
      examples: [
        {
          title: t('example.request'),
          code: exampleRequest(services.origin, exampleUrl),
        },
        { title: t('example.answer'), code: exampleAnswer },
      ],
      columns: [],
      rows: [],
    },
    {
      ...none,
      id: 'post',
      title: t('post.title'),
      paragraphs: [],
      columns: fields,
      rows: post.map((key) => [nameOf(key), typeOf(key), t(`post.${key}`)]),
    },
    {
      ...none,
      id: 'options',
      title: t('options.title'),
      paragraphs: [t('options.text')],
      columns: fields,
      rows: option.map((key) => [nameOf(key), typeOf(key), t(`options.${key}`)]),
    },
    {
      ...none,
      id: 'files',
      title: t('files.title'),
      call: `GET /api/files/${exampleTicket}`,
      paragraphs: [t('files.text'), t('files.ranges'), t('files.ready'), t('files.cut')],
    },
    {
      ...none,
      id: 'zip',
      title: t('zip.title'),
      call: 'GET /api/files/zip?file=…&file=…',
      paragraphs: [t('zip.text'), t('zip.ready')],
    },
    {
      ...none,
      id: 'status',
      title: t('status.title'),
      call: `GET /api/files/${exampleTicket}/status`,
      paragraphs: [t('status.text'), t('status.one')],
      columns: fields,
      rows: status.map((key) => [nameOf(key), typeOf(key), t(`status.${key}`)]),
    },
    {
      ...none,
      id: 'cancel',
      title: t('cancel.title'),
      call: `DELETE /api/files/${exampleTicket}/status`,
      paragraphs: [t('cancel.text')],
    },
    { ...none, id: 'limits', title: t('limits.title'), paragraphs: [t('limits.text'), t('limits.fair')] },
    {
      ...none,
      id: 'keys',
      title: t('keys.title'),
      paragraphs: [t('keys.text')],
      examples: [{ title: t('example.request'), code: exampleWithKey(services.origin, exampleUrl) }],
    },
    {
      ...none,
      id: 'errors',
      title: t('errors.title'),
      paragraphs: [t('errors.text'), t('errors.site')],
      columns: [t('column.key'), t('column.status'), t('column.message')],
      rows: services.failures.map(({ key, status: code }) => [key, String(code), String(errors[key] ?? '')]),
    },
  ];
  return {
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('title'),
    intro: t('intro'),
    openapi: t('openapi'),
    sections,
  };
}
