import { data, type LoaderFunctionArgs } from 'react-router';
import { languages } from '../../../i18n/languages.ts';
import { openStaticPage, translateFor } from '../../../site/loaders/page-context.ts';
import type { Incident } from '../incidents.ts';
import { type KindStatus, siteStatusService } from '../site-status.ts';

const timeFormat = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;

/** The texts arrive translated, so that the browser needs no messages for them. */
export async function loader(request: LoaderFunctionArgs) {
  const page = openStaticPage(request, 'status');
  const t = translateFor(page, 'status');
  const { lang } = languages[page.address.locale];
  const percent = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 });
  const timeOf = (time: number) => `${new Intl.DateTimeFormat(lang, timeFormat).format(time)} UTC`;
  const status = await siteStatusService.of(page.services)();
  const kindText = ({ kind, now, share, hours }: KindStatus) => ({
    name: t(`kind.${kind}`),
    health: now,
    healthText: t(`health.${now}`),
    shareText: share === null ? t('share.few') : t('share', { share: percent.format(share) }),
    hours,
  });
  const incidentText = ({ id, text, beganAt, endedAt }: Incident) => ({
    id,
    text,
    time:
      endedAt === null
        ? t('incident.lasts', { time: timeOf(beganAt) })
        : t('incident.ended', { from: timeOf(beganAt), to: timeOf(endedAt) }),
  });
  const loaded = {
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('title'),
    intro: t('intro'),
    now: status.now,
    nowText: t(`now.${status.now}`),
    checked: t('checked', { time: timeOf(status.checkedAt) }),
    hours: t('hours'),
    kinds: status.kinds.map(kindText),
    incidentsTitle: t('incidents.title'),
    noIncidents: t('incidents.none'),
    incidents: status.incidents.map(incidentText),
    counted: t('counted'),
  };
  // Visitors open it when something seems wrong: a page of ten minutes ago would not help.
  return data(loaded, { headers: { 'cache-control': 'no-store' } });
}
