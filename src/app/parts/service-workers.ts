import type { PushSettings, PushTexts } from '../../features/push/browser/settings.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import type { Environment } from '../../process/environment.ts';
import type { BuiltSite, ServerParts } from '../../web/server/parts.ts';
import type { ServerSettings } from '../../web/visitors/settings.ts';
import { workerPolicy } from '../../web/visitors/worker-policy.ts';

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

/** What the environment says of service workers. Without a build there is none to be had. */
export function assembleWorkers(
  { SERVICE_WORKER }: Pick<Environment, 'SERVICE_WORKER'>,
  { shell }: BuiltSite,
  push: Omit<PushSettings, 'texts'> | null,
): Pick<ServerParts, 'hasServiceWorker' | 'policy'> & {
  readonly settings: (locale: Locale) => ServerSettings;
} {
  const hasServiceWorker = SERVICE_WORKER && shell !== undefined;
  return {
    hasServiceWorker,
    policy: {
      trustedTypes: hasServiceWorker || push !== null ? [workerPolicy] : [],
      connect: push === null || push.server === null ? [] : [new URL(push.server).origin],
    },
    settings: (locale) => ({
      ...(hasServiceWorker && { serviceWorker: '/sw.js' }),
      ...(push !== null && { push: { ...push, texts: pushTexts(locale) } }),
    }),
  };
}
