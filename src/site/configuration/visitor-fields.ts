import { z } from 'zod';
import { locales } from '../../i18n/languages.ts';
import type { Experiment } from '../visitors/experiment.ts';
import { storedItems } from '../visitors/stored/stored-items.ts';

/** The address of a server to which browsers send instead of this one; without its last slash. */
export const otherServer = z
  .url()
  .regex(/^(?:https:|http:\/\/(?:127\.0\.0\.1|localhost)[:/])/, 'must be an https address')
  .transform((url) => url.replace(/\/$/, ''));

/** Names of cookies, and of query parameters that pages read. */
const taken: ReadonlySet<string> = new Set([
  ...Object.keys(storedItems),
  ...[
    'token',
    'XSRF-TOKEN',
    'url',
    'text',
    'title',
    'category',
    'index',
    'to',
    'name',
    'value',
    'source',
    'medium',
  ],
]);

/** A moment, or a day's beginning in UTC. */
const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform((text) => Date.parse(text))
  .optional();

const experiment = z
  .strictObject({
    /** Name of the cookie and the query parameter. */
    name: z
      .string()
      .regex(/^[A-Za-z][\w-]{0,39}$/, 'must be letters, digits, "-" and "_"')
      .refine((name) => !taken.has(name), 'is the name of something else that is stored or asked for'),
    /** Weights of the variants, by name. */
    variants: z
      .record(
        z.string().regex(/^[a-z0-9]{1,20}$/, 'must be small letters and digits'),
        z.number().min(0).max(1e6),
      )
      .refine((variants) => Object.keys(variants).length > 1, 'must be two at least')
      .refine((variants) => Object.values(variants).some((weight) => weight > 0), 'weigh nothing'),
    /** Paths without a language; empty for all pages. */
    pages: z.array(z.string().regex(/^\/[a-z0-9/-]*$/, 'must be a path like "/contact"')).default([]),
    start: moment,
    end: moment,
  })
  .refine(({ start, end }) => start === undefined || end === undefined || start < end, {
    path: ['end'],
    message: 'must be later than "start"',
  })
  .transform(
    ({ variants, start = null, end = null, ...rest }): Experiment => ({
      ...rest,
      variants: Object.entries(variants).map(([name, weight]) => ({ name, weight })),
      start,
      end,
    }),
  );

/** The fields of the site configuration about visitors: consent, statistics and tags. */
export const visitorFields = {
  /** Whether visitors are asked before identifying data is stored; `off` ships no code that would store any. */
  consent: z.enum(['required', 'implied', 'off']).default('required'),
  /** Whether the site counts what visitors do. */
  statistics: z.boolean().default(false),
  /** Days after which single reports are deleted; daily sums stay. */
  statistics_days: z.int().min(1).max(3650).default(30),
  /** Base address for browsers' reports, with `/api/web/report` below it; this site by default. */
  analytics_url: otherServer.optional(),
  /** `app_id` of download events, for the desktop programs for Windows and for Mac. */
  app_ids: z
    .array(z.union([z.string(), z.int().min(0).transform(String)]).pipe(z.string().min(1).max(60)))
    .max(2)
    .default([]),
  /** Ids of the tag scripts, by language. */
  tag_ids: z
    .partialRecord(
      z.enum(locales),
      z.string().regex(/^[A-Za-z0-9_-]{1,60}$/, 'must be letters, digits, "-" and "_"'),
    )
    .default({}),
  /** A/B tests. */
  experiments: z
    .array(experiment)
    .default([])
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'has a name twice'),
  /** Hosts that tag scripts may send reports to, besides their own. */
  tag_connect: z
    .array(
      z
        .string()
        .max(200)
        .regex(
          /^https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/,
          'must be an https origin like "https://*.reports.example"',
        ),
    )
    .max(20)
    .default([]),
  /** Base address of tag scripts, followed by the id. */
  tag_host: z.url({ protocol: /^https$/ }).optional(),
};
