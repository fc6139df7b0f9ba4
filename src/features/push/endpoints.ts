import { ECDH } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { isLocale, type Locale, languages } from '../../i18n/languages.ts';
import { sendWorker } from '../../server/endpoints/service-workers.ts';
import { type StoredQuota, storedBytes } from '../../server/http/limits/stored-quota.ts';
import type { RateLimit } from '../../server/http/limits/visitor-limits.ts';
import { plainText } from '../../server/http/plain-text.ts';
import { errorResponse, localeOf } from '../../server/instance/errors.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { PushSettings } from './browser/settings.ts';
import { isServiceEndpoint, type ServiceHost } from './sending/push-services.ts';
import type { PushStore } from './subscriptions/push-store.ts';
import type { PushWorkerSettings } from './worker/message.ts';

const curve = 'prime256v1';
/** Marks an uncompressed point (SEC 1, section 2.3.3), as RFC 8291, section 3.1 requires. */
const uncompressed = 4;

/** Bytes in base64url, as browsers give keys; some pad them. */
const bytes = (length: number) =>
  z
    .string()
    .max(200)
    .refine(
      (text) => /^[\w-]+={0,2}$/.test(text) && Buffer.from(text, 'base64url').length === length,
      'is no key',
    );

function isPoint(text: string): boolean {
  const key = Buffer.from(text, 'base64url');
  if (key[0] !== uncompressed) return false;
  try {
    ECDH.convertKey(key, curve);
    return true;
  } catch (error) {
    // Node refuses other invalid keys, with which nothing can be encrypted.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** The public key of a device: a point of P-256 (RFC 8291, section 3.1). */
export const devicePublicKey = bytes(65).refine(isPoint, 'is no point of the curve');

/** The secret that a device and the site share to authenticate messages: 16 bytes (RFC 8291, section 3.2). */
const deviceSecret = bytes(16);

const maxBodyBytes = 8 * 1024;

/** A device's self-description: for the operator's eyes, and never queried. */
const about = plainText(100).default('');

const endpoint = plainText(2000);

/** A browser's registration. */
export const registrationSchema = z.object({
  language: z.string().refine(isLocale, 'is no language of the site'),
  diff_time: z.int().min(-50_400).max(50_400),
  device_model: about,
  app_id: about,
  // A value that is no text belongs to no service either.
  endpoint: endpoint.catch(''),
  auth: deviceSecret,
  pdhkey: devicePublicKey,
  explorer: about,
  explorer_version: about,
});

/** The body of a browser's cancellation. */
export const endpointSchema = z.object({ endpoint });

function readBody<T>(schema: z.ZodType<T>, { body }: FastifyRequest): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') ?? '';
  throw new Failure('request_invalid', { cause: read.error, note: `${place} is wrong` });
}

type WorkerFacts = Omit<PushSettings, 'texts'>;

/** The worker's settings. */
function workerSettings(
  { publicKey, appId, server }: WorkerFacts,
  { locales, default_locale }: SiteConfiguration,
): PushWorkerSettings {
  const primary = (locale: Locale) => languages[locale].lang.split('-', 1)[0] ?? locale;
  return {
    publicKey,
    appId,
    server,
    languages: Object.fromEntries(locales.map((locale) => [primary(locale), locale])),
    defaultLocale: default_locale,
  };
}

/** The service worker that shows notifications. */
export function workerEndpoint(
  app: FastifyInstance,
  worker: string,
  settings: WorkerFacts,
  configuration: SiteConfiguration,
): void {
  const script = `const workerSettings=${JSON.stringify(workerSettings(settings, configuration))};\n${worker}`;
  const connect = settings.server === null ? [] : [new URL(settings.server).origin];
  app.get(settings.worker, (request, reply) => sendWorker(script, request, reply, { connect }));
}

/** Limits of subscribing. */
interface PushLimits {
  readonly requests: RateLimit;
  /** Subscribed devices, stored until their subscriptions end. */
  readonly subscriptions: StoredQuota;
}

/** `POST /index.php/sub/register` stores a subscribed device, `DELETE` of the same path removes it. */
export function subscriptionEndpoints(
  app: FastifyInstance,
  store: Pick<PushStore, 'register' | 'unregister'>,
  services: readonly ServiceHost[],
  limits: PushLimits,
): void {
  const path = '/index.php/sub/register';
  app.post(path, { bodyLimit: maxBodyBytes }, async (request, reply) => {
    await limits.requests(request.visitor);
    const registration = readBody(registrationSchema, request);
    reply.header('cache-control', 'no-store');
    if (!isServiceEndpoint(registration.endpoint, services))
      return reply.code(422).send(errorResponse(new Failure('request_invalid'), localeOf(request), 422));
    await store.register(registration, () =>
      limits.subscriptions(request.visitor, storedBytes(registration)),
    );
    return { code: 200 };
  });

  app.delete(path, { bodyLimit: maxBodyBytes }, async (request, reply) => {
    await limits.requests(request.visitor);
    await store.unregister(readBody(endpointSchema, request).endpoint);
    reply.header('cache-control', 'no-store');
    return { code: 200 };
  });
}
