import { createECDH } from 'node:crypto';
import { createConnections } from '../../downloader/network/connections.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import type { Environment } from '../../process/environment.ts';
import { EnvironmentError } from '../../process/variables.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { StoredLimit } from '../../server/http/limits/stored-quota.ts';
import { workerPolicy } from '../../site/visitors/worker-policy.ts';
import type { PushSettings, PushTexts } from './browser/settings.ts';
import { pushFields, pushVariables } from './configuration.ts';
import { type PushLimits, type PushRegistrar, subscriptionEndpoints, workerEndpoint } from './endpoints.ts';
import { watchPush } from './metrics.ts';
import { pushPaths } from './open-api.ts';
import type { Deliver, VapidKeys } from './sending/deliver-push.ts';
import { isServiceEndpoint } from './sending/push-services.ts';
import { sendOpenPush } from './sending/send-push.ts';
import { createPushStore } from './subscriptions/push-store.ts';

/** The texts of the offer of notifications. */
function pushTexts(locale: Locale): PushTexts {
  const t = createTranslate<'push'>(locale, loadMessages(locale, 'push'));
  return {
    name: t('push.name'),
    offer: t('push.offer'),
    text: t('push.text'),
    yes: t('push.yes'),
    no: t('push.no'),
    done: t('push.done'),
    blocked: t('push.blocked'),
    failed: t('push.failed'),
  };
}

/** Interval for checking for messages that a command has left, or whose sender is gone. */
const lookMs = 15_000;
const timeoutMs = 10_000;

const hourS = 3600;
/** Limit of one address block: a mobile network has many people behind it, few of whom subscribe on the same day. */
const perBlockAndDay = 200;
/** An endpoint, keys and what a device says of itself; the longest there may be has three times as many. */
const usualBytes = 1000;

/** Limit of added devices. @param perHour for all visitors together */
function subscriptionLimits(perHour: number): readonly StoredLimit[] {
  const amount = (rows: number) => ({ rows, bytes: rows * usualBytes });
  return [
    { periodS: hourS, block: amount(Math.min(perHour, perBlockAndDay / 2)), all: amount(perHour) },
    { periodS: 24 * hourS, block: amount(perBlockAndDay), all: amount(24 * perHour) },
  ];
}

/** The environment's keys; null when there are none. @throws EnvironmentError when they do not match */
function keysOf(environment: Pick<Environment, 'variables'>): VapidKeys | null {
  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } = pushVariables.read(environment);
  if (VAPID_PUBLIC_KEY === undefined) return null;
  if (VAPID_PRIVATE_KEY === undefined || VAPID_SUBJECT === undefined)
    throw new EnvironmentError('VAPID_PRIVATE_KEY: must be set, because VAPID_PUBLIC_KEY is');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(VAPID_PRIVATE_KEY, 'base64url');
  if (pair.getPublicKey('base64url') !== VAPID_PUBLIC_KEY)
    throw new EnvironmentError('VAPID_PUBLIC_KEY: does not belong to VAPID_PRIVATE_KEY');
  return { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY, subject: VAPID_SUBJECT };
}

/** Hands messages to push services. */
export interface PushSending {
  readonly deliver: Deliver;
  close(): Promise<void>;
}

/**
 * Prepares connections to push services: to public addresses only, checked after the last name look-up.
 * @returns null without keys
 * @throws EnvironmentError
 */
export async function openPushSending(environment: Environment): Promise<PushSending | null> {
  const keys = keysOf(environment);
  if (keys === null) return null;
  // Imported on demand: most sites never load it.
  const { createPushDelivery } = await import('./sending/deliver-push.ts');
  const dispatcher = createConnections({
    proxy: environment,
    connectTimeoutMs: timeoutMs,
    headersTimeoutMs: timeoutMs,
    connections: 64,
  });
  return {
    deliver: createPushDelivery(keys, dispatcher, timeoutMs),
    close: () => dispatcher.destroy(),
  };
}

type PushContext = Pick<Core, 'environment' | 'configuration' | 'site' | 'database' | 'metrics' | 'logger'>;

interface PushParts {
  /** Null without keys. */
  readonly registrar: PushRegistrar | null;
  readonly settings: Omit<PushSettings, 'texts'> | null;
  close?(): Promise<void>;
}

/** Puts together what takes subscriptions, and what sends the messages that a command has left. */
async function openPush({
  environment,
  configuration,
  site: { shell },
  database: { query },
  metrics,
  logger,
}: PushContext): Promise<PushParts> {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = pushVariables.read(environment);
  if (publicKey === undefined || shell === undefined) return { registrar: null, settings: null };
  const { push, push_url: server = null } = pushFields.of(configuration);
  const { prompt, app_id: appId, worker, services } = push;
  const settings = { publicKey, appId, prompt, worker, server };
  // Another server that stores the subscriptions sends to them, too: the private key is its own.
  const sending = server !== null && privateKey === undefined ? null : await openPushSending(environment);
  if (sending === null) return { registrar: null, settings };
  const store = createPushStore(query, Date.now);
  watchPush({ query }, metrics, logger);
  const stopping = new AbortController();
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(async () => {
      try {
        await sendOpenPush({
          store,
          deliver: sending.deliver,
          services,
          signal: stopping.signal,
          onBroken: ({ id }, error) =>
            logger.warn({ err: error, subscription: id }, 'no notification can be made for a subscription'),
        });
      } catch (error) {
        logger.error({ err: error }, 'notifications could not be sent');
      }
    });
  }, lookMs);
  timer.unref();
  return {
    registrar: {
      register: store.register,
      unregister: store.unregister,
      isService: (endpoint) => isServiceEndpoint(endpoint, services),
    },
    settings,
    async close() {
      clearInterval(timer);
      stopping.abort();
      await running;
      await sending.close();
    },
  };
}

/** @throws EnvironmentError */
export default async function openPushFeature(core: Core): Promise<FeatureServer> {
  const { environment, configuration, origin, site, database, rateLimits, quotas } = core;
  const { registrar, settings, close } = await openPush(core);
  if (settings === null) return { state: () => ({ push: null }) };
  const limits: PushLimits = {
    requests: rateLimits.create('push', 30),
    subscriptions: quotas.create(
      'push_subscriptions',
      subscriptionLimits(pushVariables.read(environment).SUBSCRIPTIONS_PER_HOUR),
    ),
  };
  const script = site.shell?.scripts.ofFeatures.push;
  return {
    routes(app) {
      if (script !== undefined) workerEndpoint(app, script, settings, configuration);
      if (script !== undefined && registrar !== null) subscriptionEndpoints(app, registrar, limits);
    },
    ...(registrar !== null && { paths: pushPaths }),
    legal: { notifications: 'yes' },
    state: () => ({ push: { PublicKey: settings.publicKey, app_id: settings.appId } }),
    settings: (locale) => ({ push: { ...settings, texts: pushTexts(locale) } }),
    policy: {
      trustedTypes: [workerPolicy],
      connect: settings.server === null ? [] : [new URL(settings.server).origin],
    },
    ...(registrar !== null && {
      async desk() {
        const { pushPage } = await import('./desk/page.ts');
        const store = createPushStore(database.query, Date.now);
        return [pushPage({ store, query: database.query, configuration, origin })];
      },
    }),
    ...(close && { close }),
  };
}
