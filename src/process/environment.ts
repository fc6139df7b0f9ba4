import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { joined } from './joined.ts';
import { OutboundProxyError, parseOutboundProxies } from './outbound-proxy.ts';
import {
  defineVariables,
  mailAddress,
  type OwnVariables,
  refuse,
  type SetVariables,
  secret,
  webAddress,
  wholeNumber,
  yesOrNo,
} from './variables.ts';

const origin = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  }, 'must be an origin like https://example.org, without path or query')
  .transform((text) => new URL(text).origin);

/** A path of something that is there, and is what it must be. @param holds may also throw */
const path = (holds: (path: string) => boolean, message: string) =>
  z.string().refine((text) => {
    try {
      return holds(text);
    } catch {
      return false;
    }
  }, message);

/** @throws Error of the system where this account has no such right */
function isFile(file: string, right: number): boolean {
  accessSync(file, right);
  return statSync(file).isFile();
}

const readableFile = path((file) => isFile(file, constants.R_OK), 'must be a file that can be read');
const program = path((file) => isFile(file, constants.X_OK), 'must be a program that can be run');
const readableFolder = path((folder) => {
  accessSync(folder, constants.R_OK | constants.X_OK);
  return statSync(folder).isDirectory();
}, 'must be a folder that can be read');

/** Node only warns of unreadable certificates, and then trusts too few. */
const certificates = path(
  (file) => isFile(file, constants.R_OK) && Boolean(new X509Certificate(readFileSync(file))),
  'must hold certificates in PEM',
);

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

/** The variables of the core. */
export const coreVariables = defineVariables(
  {
    PORT: wholeNumber(0, 65_535).default(3000),
    HOST: z.string().min(1).default('127.0.0.1'),
    SITE_DIR: readableFolder.optional(),
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
    SECRET_KEY: secret(32).optional(),
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
    ACCESS_LOG: yesOrNo.default(true),
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
    FALLBACK_TRIAL_MINUTES: wholeNumber(0, 1440).default(30),
    CACHE_ADMIN_SECRET: secret(16).optional(),
    PAGE_CACHE: yesOrNo.optional(),
    SERVICE_WORKER: yesOrNo.default(true),
    MAX_CONNECTIONS: wholeNumber(16, 1_000_000).optional(),
    CONVERSIONS: wholeNumber(0, 64).optional(),
    CONVERSIONS_WAITING: wholeNumber(0, 10_000).default(200),
    KEPT_FILES_MB: wholeNumber(16, 1_000_000).default(2048),
    SMTP_URL: z
      .url({ protocol: /^smtps?$/, error: 'must be an address like smtps://user:password@mail.example.org' })
      .optional(),
    CONTACT_TO: mailAddress.optional(),
    CONTACT_FROM: mailAddress.optional(),
    RESOLVES_PER_MINUTE: wholeNumber(1, 100_000).default(30),
    FILES_PER_MINUTE: wholeNumber(1, 100_000).default(120),
    PAGES_PER_MINUTE: wholeNumber(12, 1_000_000).default(120),
    DOWNLOADS_AT_ONCE: wholeNumber(1, 100_000).default(10),
    SOUND_REQUESTS: wholeNumber(1, 1000).default(150),
  },
  {
    SMTP_URL: 'CONTACT_TO',
    CONTACT_TO: 'SMTP_URL',
    CONTACT_FROM: 'SMTP_URL',
    S3_ENDPOINT: 'S3_BUCKET',
    S3_BUCKET: 'S3_ACCESS_KEY_ID',
    S3_ACCESS_KEY_ID: 'S3_SECRET_ACCESS_KEY',
    S3_SECRET_ACCESS_KEY: 'S3_ENDPOINT',
    S3_REGION: 'S3_ENDPOINT',
  },
);

/** The checked environment. The programs of `start` and `cli` hand `process.env` over to be read here. */
export type Environment = z.output<z.ZodObject<(typeof coreVariables)['shape']>> & {
  /** All that is set: features read their own of it. */
  readonly variables: SetVariables;
};

/**
 * Checks the environment. An empty variable counts as unset; `https_proxy` and `no_proxy` are accepted in lower case,
 * as in other programs. Without SITE_CONFIG, the file in SITE_DIR is the site configuration.
 * @param others variables of features, which are checked as well
 * @throws EnvironmentError with one line for each invalid variable, and the reason
 */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  others: readonly OwnVariables[] = [],
): Environment {
  const all = [coreVariables, ...others];
  joined(
    'environment variable',
    all.map(({ shape }) => shape),
  );
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value) set[name] = value;
  set.HTTPS_PROXY ??= set.https_proxy ?? '';
  set.NO_PROXY ??= set.no_proxy ?? '';
  if (!set.HTTPS_PROXY) delete set.HTTPS_PROXY;
  if (!set.NO_PROXY) delete set.NO_PROXY;
  const ownConfiguration = join(set.SITE_DIR ?? '', 'site.config.json');
  if (set.SITE_DIR !== undefined && existsSync(ownConfiguration)) set.SITE_CONFIG ??= ownConfiguration;

  const problems: Record<string, string> = Object.assign({}, ...all.map((own) => own.problems(set)));
  if (set.CONVERSIONS === '0' && set.REDIS_URL === undefined)
    problems.CONVERSIONS = 'must be at least 1 without REDIS_URL; 0 leaves all conversions to "npm run jobs"';
  refuse(problems);
  return { ...coreVariables.read({ variables: set }), variables: set };
}
