import { X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { OutboundProxyError, parseOutboundProxies } from './outbound-proxy.ts';

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

const mailAddress = z.email('must be one e-mail address');

const yesOrNo = z
  .string()
  .regex(/^(1|0|true|false|yes|no|on|off)$/i, 'must be one of 1, 0, true, false, yes, no, on, off')
  .transform((text) => /^(1|true|yes|on)$/i.test(text));

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const origin = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  }, 'must be an origin like https://example.org, without path or query')
  .transform((text) => new URL(text).origin);

/** The form that servers of the protocol use; a password after the key is an older form. */
const dsn = z.string().refine((text) => {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    /^[A-Za-z0-9]{1,64}$/.test(url.username) &&
    /^(?:\/[\w.-]+)*\/\d{1,20}$/.test(url.pathname) &&
    url.search + url.hash === ''
  );
}, 'must be an address like https://key@errors.example/42');

const readableFile = z.string().refine((path) => {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}, 'must be a file that can be read');

/** Node only warns of unreadable certificates, and then trusts too few. */
const certificates = readableFile.refine((path) => {
  try {
    new X509Certificate(readFileSync(path));
    return true;
  } catch {
    return false;
  }
}, 'must hold certificates in PEM');

const program = z.string().refine((path) => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}, 'must be a program that can be run');

const addressOrBlock = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

/** An error names the invalid entry's position and none of its text. */
const outboundProxies = z.string().transform((text, context) => {
  try {
    return parseOutboundProxies(text);
  } catch (error) {
    if (!(error instanceof OutboundProxyError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

const vapidKey = (bytes: number, kind: string) =>
  z
    .string()
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `must be a ${kind} key as "npm run cli -- push keys" prints it`,
    );

const schema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  SITE_CONFIG: readableFile.default('site.config.json'),
  SITE_ORIGIN: origin.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be an address like postgres://user@host:5432/name' })
    .optional(),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be an address like redis://user:password@host:6379/0' })
    .optional(),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, "_", "-" or "."')
    .default('clipferry'),
  S3_ENDPOINT: webAddress
    .refine((text) => /^[^?#@]*$/.test(text), 'must be an address without user, query or fragment')
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the name of a region')
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: z
    .string()
    .regex(/^[\x21-\x2e\x30-\x7e]{1,128}$/, 'must be a key id, without spaces and slashes')
    .optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  HTTPS_PROXY: webAddress.optional(),
  NO_PROXY: z.string().optional(),
  OUTBOUND_PROXIES: outboundProxies.optional(),
  NODE_EXTRA_CA_CERTS: certificates.optional(),
  TRUST_PROXY: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every(addressOrBlock),
      'must be IP addresses or CIDR blocks, separated by commas',
    )
    .default([]),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  HONOUR_DOWNLOAD_SETTING: yesOrNo.default(false),
  FFMPEG_PATH: program.optional(),
  YTDLP_PATH: program.optional(),
  USER_AGENTS: z
    .string()
    .transform((text) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    )
    .refine(
      (lines) => lines.every((line) => /^[\x20-\x7e]{10,300}$/.test(line)),
      'must be printable lines, one user agent each',
    )
    .optional(),
  OPERATOR_PASSWORD: z
    .string()
    .min(12, 'must have at least 12 characters')
    .max(200, 'must have at most 200 characters')
    .optional(),
  CACHE_ADMIN_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  PAGE_CACHE: yesOrNo.optional(),
  PAGE_CACHE_URL: webAddress.optional(),
  PAGE_CACHE_PORT: wholeNumber(0, 65_535).default(40_010),
  PAGE_CACHE_MB: wholeNumber(1, 100_000).default(256),
  SERVICE_WORKER: yesOrNo.default(true),
  MAX_CONNECTIONS: wholeNumber(16, 1_000_000).optional(),
  CONVERSIONS: wholeNumber(0, 64).optional(),
  CONVERSIONS_WAITING: wholeNumber(0, 10_000).default(200),
  KEPT_FILES_MB: wholeNumber(16, 1_000_000).default(2048),
  CONTENT_URL: webAddress.optional(),
  SENTRY_DSN: dsn.optional(),
  VAPID_PUBLIC_KEY: vapidKey(65, 'public').optional(),
  VAPID_PRIVATE_KEY: vapidKey(32, 'private').optional(),
  VAPID_SUBJECT: z
    .url({
      protocol: /^(?:https|mailto)$/,
      error: 'must be an address like mailto:you@example.org or https://example.org',
    })
    .optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address like smtps://user:password@mail.example.org' })
    .optional(),
  CONTACT_TO: mailAddress.optional(),
  CONTACT_FROM: mailAddress.optional(),
  ALARM_WEBHOOK_URL: webAddress.optional(),
  ALARM_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  ALARM_WEBHOOK_PRIVATE: yesOrNo.default(false),
  ALARM_MAIL: mailAddress.optional(),
  MESSAGES_PER_HOUR: wholeNumber(1, 100_000).default(10),
  ACKNOWLEDGEMENTS_PER_HOUR: wholeNumber(0, 100_000).default(60),
  MAILS_PER_HOUR: wholeNumber(1, 100_000).default(60),
  MESSAGES_DAYS: wholeNumber(1, 36_500).default(365),
  SUBSCRIPTIONS_PER_HOUR: wholeNumber(1, 1_000_000).default(1000),
  RESOLVES_PER_MINUTE: wholeNumber(1, 100_000).default(30),
  FILES_PER_MINUTE: wholeNumber(1, 100_000).default(120),
  PAGES_PER_MINUTE: wholeNumber(12, 1_000_000).default(120),
  REPORTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(120),
  REPORTS_PER_HOUR: wholeNumber(10, 100_000_000).default(20_000),
  DOWNLOADS_AT_ONCE: wholeNumber(1, 100_000).default(10),
  SOUND_REQUESTS: wholeNumber(1, 1000).default(150),
});

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

/** Variables that require another one. */
const needed: Partial<Record<keyof z.output<typeof schema>, keyof z.output<typeof schema>>> = {
  SMTP_URL: 'CONTACT_TO',
  CONTACT_TO: 'SMTP_URL',
  CONTACT_FROM: 'SMTP_URL',
  ALARM_WEBHOOK_SECRET: 'ALARM_WEBHOOK_URL',
  ALARM_MAIL: 'SMTP_URL',
  VAPID_PRIVATE_KEY: 'VAPID_SUBJECT',
  VAPID_SUBJECT: 'VAPID_PUBLIC_KEY',
  S3_ENDPOINT: 'S3_BUCKET',
  S3_BUCKET: 'S3_ACCESS_KEY_ID',
  S3_ACCESS_KEY_ID: 'S3_SECRET_ACCESS_KEY',
  S3_SECRET_ACCESS_KEY: 'S3_ENDPOINT',
  S3_REGION: 'S3_ENDPOINT',
};

/** The checked environment. The programs of `start` and `cli` hand `process.env` over to be read here. */
export type Environment = z.output<typeof schema>;

/** Wrong variables; its message has one line for each, which names it. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/**
 * Checks the environment. An empty variable counts as unset; `https_proxy` and `no_proxy` are accepted in lower case,
 * as in other programs.
 * @throws EnvironmentError with one line for each invalid variable, and the reason
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value) set[name] = value;
  set.HTTPS_PROXY ??= set.https_proxy ?? '';
  set.NO_PROXY ??= set.no_proxy ?? '';
  if (!set.HTTPS_PROXY) delete set.HTTPS_PROXY;
  if (!set.NO_PROXY) delete set.NO_PROXY;

  const checked = schema.safeParse(set);
  const problems = new Map<string, string>();
  for (const { path, message } of checked.error?.issues ?? []) {
    const name = String(path[0] ?? 'environment');
    if (!problems.has(name)) problems.set(name, message);
  }
  const wrong = new Set(problems.keys());
  for (const [name, other] of Object.entries(needed))
    if (set[name] !== undefined && !wrong.has(name) && set[other] === undefined && !problems.has(other))
      problems.set(other, `must be set, because ${name} is`);
  if (set.CONVERSIONS === '0' && set.REDIS_URL === undefined)
    problems.set(
      'CONVERSIONS',
      'must be at least 1 without REDIS_URL; 0 leaves all conversions to "npm run jobs"',
    );
  if (!checked.success || problems.size > 0)
    throw new EnvironmentError([...problems].map(([name, message]) => `${name}: ${message}`).join('\n'));
  return checked.data;
}

/** Edits that turn one name into the other: letters added, left out, replaced, and neighbours that change places. */
function editsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const above = rows[row - 1] ?? [];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      line[at] = Math.min(
        (above[at] ?? 0) + 1,
        (line[at - 1] ?? 0) + 1,
        (above[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (rows[row - 2]?.[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(line);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

/** Shorter names are like those of other programs. */
const leastLetters = 7;
/** Variables of other programs whose names resemble ours. */
const foreign = new Set(['HTTP_PROXY']);

/** Variables whose names are nearly those of settings: nothing reads them. */
export function misspelt(
  variables: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly meant: string }[] {
  return Object.keys(variables).flatMap((name) => {
    if (name.length < leastLetters || foreign.has(name) || settingNames.includes(name) || !variables[name])
      return [];
    const meant = settingNames.find(
      (setting) => setting.length >= leastLetters && editsBetween(name.toUpperCase(), setting) <= 2,
    );
    return meant === undefined || variables[meant] ? [] : [{ name, meant }];
  });
}
