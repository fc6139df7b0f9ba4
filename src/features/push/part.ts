import { createECDH } from 'node:crypto';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createConnections } from '../../downloader/network/connections.ts';
import { type Environment, EnvironmentError } from '../../process/environment.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { StoredLimit } from '../../web/http/stored-quota.ts';
import type { BuiltSite } from '../../web/server/parts.ts';
import type { PushSettings } from './browser/settings.ts';
import type { PushConfiguration } from './configuration.ts';
import type { PushStore } from './contracts.ts';
import type { Deliver, VapidKeys } from './deliver-push.ts';
import { watchPush } from './metrics.ts';
import { isServiceEndpoint } from './push-services.ts';
import { createPushStore } from './push-store.ts';
import { sendOpenPush } from './send-push.ts';

/** How often a running site looks for messages that a command has left, or whose sender is gone. */
const lookMs = 15_000;
const timeoutMs = 10_000;

const hourS = 3600;
/** Of one address block: a mobile network has many people behind it, few of whom subscribe on the same day. */
const perBlockAndDay = 200;
/** An endpoint, keys and what a device says of itself; the longest there may be has three times as many. */
const usualBytes = 1000;

/** How many devices may be added. @param perHour by all visitors together */
export function subscriptionLimits(perHour: number): readonly StoredLimit[] {
  const amount = (rows: number) => ({ rows, bytes: rows * usualBytes });
  return [
    { periodS: hourS, block: amount(Math.min(perHour, perBlockAndDay / 2)), all: amount(perHour) },
    { periodS: 24 * hourS, block: amount(perBlockAndDay), all: amount(24 * perHour) },
  ];
}

type Keys = Pick<Environment, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'VAPID_SUBJECT'>;

/** The keys of the environment; null where there are none. @throws EnvironmentError when they do not belong together */
function keysOf({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT }: Keys): VapidKeys | null {
  if (VAPID_PUBLIC_KEY === undefined) return null;
  if (VAPID_PRIVATE_KEY === undefined || VAPID_SUBJECT === undefined)
    throw new EnvironmentError('VAPID_PRIVATE_KEY: must be set, because VAPID_PUBLIC_KEY is');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(VAPID_PRIVATE_KEY, 'base64url');
  if (pair.getPublicKey('base64url') !== VAPID_PUBLIC_KEY)
    throw new EnvironmentError('VAPID_PUBLIC_KEY: does not belong to VAPID_PRIVATE_KEY');
  return { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY, subject: VAPID_SUBJECT };
}

/** Takes the registrations of devices that want notifications. */
interface PushRegistrar extends Pick<PushStore, 'register' | 'unregister'> {
  /** Whether an endpoint is one of the browsers' push services'. */
  isService(endpoint: string): boolean;
}

/** Hands messages to push services. */
export interface PushSending {
  readonly deliver: Deliver;
  close(): Promise<void>;
}

/**
 * Opens the way to push services: to public addresses alone, checked after the last name lookup.
 * @returns null without keys
 * @throws EnvironmentError
 */
export async function openPushSending(environment: Environment): Promise<PushSending | null> {
  const keys = keysOf(environment);
  if (keys === null) return null;
  // Imported only where it is asked for: most sites never load it.
  const { createPushDelivery } = await import('./deliver-push.ts');
  const { HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy } = environment;
  const dispatcher = createConnections({
    proxy: { ...(httpsProxy !== undefined && { httpsProxy }), ...(noProxy !== undefined && { noProxy }) },
    connectTimeoutMs: timeoutMs,
    headersTimeoutMs: timeoutMs,
    connections: 64,
  });
  return {
    deliver: createPushDelivery(keys, dispatcher, timeoutMs),
    close: () => dispatcher.destroy(),
  };
}

interface PushParts {
  /** Null without keys. */
  readonly registrar: PushRegistrar | null;
  readonly settings: Omit<PushSettings, 'texts'> | null;
  close(): Promise<void>;
}

/** Puts together what takes subscriptions, and what sends the messages that a command has left. */
export async function assemblePush(
  environment: Environment,
  { prompt, appId, worker, server, services }: PushConfiguration,
  { shell }: BuiltSite,
  { query }: Database,
  metrics: Registry,
  logger: Logger,
): Promise<PushParts> {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = environment;
  if (publicKey === undefined || shell === undefined)
    return { registrar: null, settings: null, async close() {} };
  const settings = { publicKey, appId, prompt, worker, server };
  // Another server that keeps the subscriptions sends to them, too: the private key is its own.
  const sending = server !== null && privateKey === undefined ? null : await openPushSending(environment);
  if (sending === null) return { registrar: null, settings, async close() {} };
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

declare module '../../web/server/parts.ts' {
  interface FeatureParts {
    /** Keeps the devices that want notifications; null where there are none. */
    readonly push: PushRegistrar | null;
  }
}
