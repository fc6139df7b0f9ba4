import { X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';

/** Named in the documentation, not part of this version: set ones are reported at start instead of being ignored silently. */
const laterVariables = ['REDIS_URL', 'S3_ENDPOINT', 'S3_BUCKET', 'SENTRY_DSN'] as const;

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

const readableFile = z.string().refine((path) => {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}, 'must be a file that can be read');

/** Node only warns of certificates that it cannot read, and then trusts nobody it should. */
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

const schema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  SITE_CONFIG: readableFile.default('site.config.json'),
  SITE_ORIGIN: origin.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be an address like postgres://user@host:5432/name' })
    .optional(),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  HTTPS_PROXY: webAddress.optional(),
  NO_PROXY: z.string().optional(),
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
  CACHE_ADMIN_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  PAGE_CACHE: yesOrNo.optional(),
  PAGE_CACHE_URL: webAddress.optional(),
  PAGE_CACHE_PORT: wholeNumber(0, 65_535).default(40_010),
  PAGE_CACHE_MB: wholeNumber(1, 100_000).default(256),
  MAX_CONNECTIONS: wholeNumber(16, 1_000_000).optional(),
  CONVERSIONS: wholeNumber(1, 64).optional(),
  CONVERSIONS_WAITING: wholeNumber(0, 10_000).default(200),
  KEPT_FILES_MB: wholeNumber(16, 1_000_000).default(2048),
  CONTENT_URL: webAddress.optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address like smtps://user:password@mail.example.org' })
    .optional(),
  CONTACT_TO: mailAddress.optional(),
  CONTACT_FROM: mailAddress.optional(),
  MESSAGES_PER_HOUR: wholeNumber(1, 100_000).default(10),
  RESOLVES_PER_MINUTE: wholeNumber(1, 100_000).default(30),
  FILES_PER_MINUTE: wholeNumber(1, 100_000).default(120),
  PAGES_PER_MINUTE: wholeNumber(6, 1_000_000).default(600),
  DOWNLOADS_AT_ONCE: wholeNumber(1, 100_000).default(10),
  SOUND_REQUESTS: wholeNumber(1, 1000).default(150),
});

/** Variables that mean nothing without another one. */
const needed: Partial<Record<keyof z.output<typeof schema>, keyof z.output<typeof schema>>> = {
  SMTP_URL: 'CONTACT_TO',
  CONTACT_TO: 'SMTP_URL',
  CONTACT_FROM: 'SMTP_URL',
};

/** The checked environment. The programs of `start` and `cli` hand `process.env` over to be read here. */
export type Environment = z.output<typeof schema> & {
  /** Names of variables that are set but have no effect in this version. */
  readonly withoutEffect: readonly string[];
};

/** A wrong variable; its message is one line that names it. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/**
 * Checks the environment. An empty variable counts as unset; `https_proxy` and `no_proxy` are read like their
 * upper-case forms, as other programs do.
 * @throws EnvironmentError naming the first wrong variable and the reason
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value) set[name] = value;
  set.HTTPS_PROXY ??= set.https_proxy ?? '';
  set.NO_PROXY ??= set.no_proxy ?? '';
  if (!set.HTTPS_PROXY) delete set.HTTPS_PROXY;
  if (!set.NO_PROXY) delete set.NO_PROXY;

  const checked = schema.safeParse(set);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new EnvironmentError(`${String(issue?.path[0] ?? 'environment')}: ${issue?.message ?? 'is wrong'}`);
  }
  for (const [name, other] of Object.entries(needed))
    if (set[name] !== undefined && set[other] === undefined)
      throw new EnvironmentError(`${other}: must be set, because ${name} is`);
  return { ...checked.data, withoutEffect: laterVariables.filter((name) => set[name] !== undefined) };
}
