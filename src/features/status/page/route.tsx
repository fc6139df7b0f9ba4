import { data, type HeadersArgs, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { languages } from '../../../i18n/languages.ts';
import { PageHead } from '../../../web/layout/head/page-head.tsx';
import { ProsePage } from '../../../web/layout/prose/prose-page.tsx';
import { openStaticPage, translateFor } from '../../../web/loaders/page-context.ts';
import type { Incident } from '../incidents.ts';
import type { Health, KindStatus } from '../site-status.ts';
import styles from './status.css?url';

export { ErrorBoundary } from '../../../web/layout/error/error-boundary.tsx';

const timeFormat = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;

/** The texts come ready, so that the browser gets no messages for them. */
export async function loader(request: LoaderFunctionArgs) {
  const page = openStaticPage(request, 'status');
  const t = translateFor(page, 'status');
  const { lang } = languages[page.address.locale];
  const percent = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 });
  const timeOf = (time: number) => `${new Intl.DateTimeFormat(lang, timeFormat).format(time)} UTC`;
  const status = await page.services.siteStatus();
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
  // It is asked for when something seems wrong: a page of ten minutes ago would not help.
  return data(loaded, { headers: { 'cache-control': 'no-store' } });
}

export function headers({ loaderHeaders, errorHeaders }: HeadersArgs): Headers {
  return errorHeaders ?? loaderHeaders;
}

const signs: Readonly<Record<Health, string>> = { working: '✓', troubled: '!', broken: '✕', unknown: '–' };

/** How well the site works, for people. */
export default function StatusPage() {
  const { head, title, intro, kinds, incidents, ...page } = useLoaderData<typeof loader>();
  return (
    <ProsePage title={title} intro={intro} variant={false} className="status">
      <link rel="stylesheet" href={styles} precedence="default" />
      <PageHead {...head} />
      <p className="status-now" data-health={page.now}>
        <span aria-hidden="true">{signs[page.now]}</span>
        <strong>{page.nowText}</strong>
      </p>
      <p className="status-checked">{page.checked}</p>
      <ul className="status-kinds">
        {kinds.map(({ name, health, healthText, shareText, hours }) => (
          <li key={name} data-health={health}>
            <h2>{name}</h2>
            <p className="status-health">
              <span aria-hidden="true">{signs[health]}</span> {healthText}
            </p>
            <Hours hours={hours} label={`${page.hours}. ${shareText}`} />
            <p>{shareText}</p>
          </li>
        ))}
      </ul>
      <section>
        <h2>{page.incidentsTitle}</h2>
        {incidents.length === 0 && <p>{page.noIncidents}</p>}
        {incidents.map(({ id, text, time }) => (
          <article key={id}>
            <p dir="auto">{text}</p>
            <p className="status-checked">{time}</p>
          </article>
        ))}
      </section>
      <p>{page.counted}</p>
    </ProsePage>
  );
}

/** Heights are in hundredths; an hour without enough tries is a low grey bar. */
const lowest = 12;

const levelOf = (share: number | null) => {
  if (share === null) return 'unknown';
  if (share >= 0.95) return 'high';
  return share >= 0.5 ? 'middle' : 'low';
};

/** One bar for each hour, the newest at the end of the line. */
function Hours({ hours, label }: { hours: readonly (number | null)[]; label: string }) {
  return (
    <svg
      className="status-hours"
      viewBox={`0 0 ${hours.length} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {hours.map((share, at) => {
        const height = Math.max(lowest, Math.round((share ?? 0) * 100));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
            key={at}
            data-level={levelOf(share)}
            x={at + 0.1}
            y={100 - height}
            width={0.8}
            height={height}
          />
        );
      })}
    </svg>
  );
}
