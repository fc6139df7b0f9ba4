import { useLoaderData } from 'react-router';
import { ProsePage } from '../../../site/layout/prose/prose-page.tsx';
import type { Health } from '../site-status.ts';
import type { loader } from './loader.ts';
import styles from './status.css?url';

const signs: Readonly<Record<Health, string>> = { working: '✓', troubled: '!', broken: '✕', unknown: '–' };

/** The site's health, for people. */
export function StatusPage() {
  const page = useLoaderData<typeof loader>();
  const { kinds, incidents } = page;
  return (
    <ProsePage page={page} className="status">
      <link rel="stylesheet" href={styles} precedence="default" />
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
