import { loadMessages } from '../../../i18n/catalogue.ts';
import type { Locale } from '../../../i18n/languages.ts';
import { createTranslate } from '../../../i18n/translate.ts';
import type { PushTexts } from '../browser/settings.ts';

/** The texts of the offer of notifications. */
export function pushTexts(locale: Locale): PushTexts {
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
