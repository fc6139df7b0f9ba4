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
import { type PushSettings, textNames } from './browser/settings.ts';
import { pushFields, pushVariables } from './configuration.ts';
import { pushPaths, subscriptionEndpoints, workerEndpoint } from './endpoints.ts';
import { watchPush } from './metrics.ts';
import { createPushStore, type PushStore } from './push-store.ts';
import type { VapidKeys } from './sending/deliver-push.ts';
import { sendOpenPush } from './sending/send-push.ts';

/** The texts of the offer of notifications. */
function pushTexts(locale: Locale): PushSettings['texts'] {
  const t = createTranslate<'push'>(locale, loadMessages(locale, 'push'));
  const texts = textNames.map((name) => [name, t(`push.${name}`)]);
  return Object.fromEntries(texts) as PushSettings['texts'];
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

/**
 * Prepares connections to push services: to public addresses only, checked after the last name look-up.
 * @returns null without keys
 * @throws EnvironmentError
 */
export async function openPushSending(environment: Environment) {
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

type Sending = NonNullable<Awaited<ReturnType<typeof openPushSending>>>;

/** Sends the messages that a command or the desk has left. @returns ends it */
function sendLeftMessages(
  { configuration, logger }: Pick<Core, 'configuration' | 'logger'>,
  store: PushStore,
  sending: Sending,
) {
  const stopping = new AbortController();
  let running = Promise.resolve();
  const send = async () => {
    try {
      await sendOpenPush({
        ...{ store, deliver: sending.deliver, signal: stopping.signal },
        services: pushFields.of(configuration).push.services,
        onBroken: ({ id }, error) =>
          logger.warn({ err: error, subscription: id }, 'no notification can be made for a subscription'),
      });
    } catch (error) {
      logger.error({ err: error }, 'notifications could not be sent');
    }
  };
  const timer = setInterval(() => {
    running = running.then(send);
  }, lookMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
    await sending.close();
  };
}

/** @throws EnvironmentError */
export default async function openPushFeature(core: Core): Promise<FeatureServer> {
  const { environment, configuration, origin, site, database, rateLimits, quotas } = core;
  const {
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    SUBSCRIPTIONS_PER_HOUR: perHour,
  } = pushVariables.read(environment);
  if (publicKey === undefined || site.shell === undefined) return { state: () => ({ push: null }) };
  const { push, push_url: server = null } = pushFields.of(configuration);
  const { prompt, app_id: appId, worker, services } = push;
  const settings = { publicKey, appId, prompt, worker, server };
  const script = site.shell.scripts.ofFeatures.push;
  const common: FeatureServer = {
    routes(app) {
      if (script !== undefined) workerEndpoint(app, script, settings, configuration);
    },
    legal: { notifications: 'yes' },
    state: () => ({ push: { PublicKey: publicKey, app_id: appId } }),
    settings: (locale) => ({ push: { ...settings, texts: pushTexts(locale) } }),
    policy: { trustedTypes: [workerPolicy], connect: server === null ? [] : [new URL(server).origin] },
  };
  // Another server that stores the subscriptions sends to them, too: the private key is its own.
  const sending = server !== null && privateKey === undefined ? null : await openPushSending(environment);
  if (sending === null) return common;
  const { query } = database;
  const store = createPushStore(query, Date.now);
  const limits = {
    requests: rateLimits.create('push', 30),
    subscriptions: quotas.create('push_subscriptions', subscriptionLimits(perHour)),
  };
  watchPush(query, core.metrics, core.logger);
  return {
    ...common,
    routes(app, parts) {
      common.routes?.(app, parts);
      if (script !== undefined) subscriptionEndpoints(app, store, services, limits);
    },
    paths: pushPaths,
    desk: async () => [(await import('./desk/page.ts')).pushPage({ store, query, configuration, origin })],
    close: sendLeftMessages(core, store, sending),
  };
}
