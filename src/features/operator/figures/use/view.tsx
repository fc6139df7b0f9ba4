import { Badge, Section } from '../../../../server/desk/components.tsx';
import { BarTable } from '../charts/bar-table.tsx';
import { NumberTable } from '../charts/number-table.tsx';
import { TimeBars } from '../charts/time-bars.tsx';
import type { UseData } from './page.ts';
import { periodTitles } from './period-titles.ts';

const numbers = new Intl.NumberFormat('en-GB');
const percents = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
const dayMs = 86_400_000;

const hourText = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' },
});
const dayText = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
});

const shareOf = (part: number, whole: number) => (whole === 0 ? '–' : percents.format(part / whole));
const sumOf = (rows: readonly { readonly total: number }[]) =>
  rows.reduce((sum, { total }) => sum + total, 0);

/** How the site is used. */
export function UseView({ data }: { data: UseData }) {
  return (
    <>
      <nav className="figures-periods" aria-label="Period">
        {Object.entries(periodTitles).map(([name, title]) => (
          <a
            key={name}
            href={`/operator/use?period=${name}`}
            aria-current={name === data.period ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <Section title="Downloads">
        <Downloads data={data} />
      </Section>
      <Section title="Visitors">
        <Visitors data={data} />
      </Section>
    </>
  );
}

function Downloads({ data }: { data: UseData }) {
  const all = sumOf(data.formats);
  return (
    <>
      <TimeBars
        title="Downloads over time"
        label={`${numbers.format(all)} downloads within ${periodTitles[data.period]}.`}
        chart={data.downloads.chart}
        series={['complete', 'other']}
        unit={unitTitle(data.downloads)}
        rows={rowsOf(data.downloads)}
      />
      <div className="figures-pair">
        <BarTable
          title="By format"
          head={['Format', 'Downloads', 'Complete']}
          empty="None."
          rows={completeRows(data.formats)}
        />
        <BarTable
          title="By outcome"
          head={['Outcome', 'Downloads', 'Share']}
          empty="None."
          rows={data.outcomes.map(({ name, total }) => rowOf(name, total, shareOf(total, all)))}
        />
        <BarTable
          title="Time to the first byte"
          head={['At most', 'Files', 'Share']}
          empty="None."
          rows={data.firstBytes.map(({ most, total }) =>
            rowOf(
              Number.isFinite(most) ? `${most / 1000} s` : 'more',
              total,
              shareOf(total, sumOf(data.firstBytes)),
            ),
          )}
        />
        <BarTable
          title="By language of the page"
          head={['Language', 'Downloads', 'Complete']}
          empty="None."
          rows={completeRows(data.languages)}
        />
        <Pages data={data} />
      </div>
    </>
  );
}

function Pages({ data }: { data: UseData }) {
  return (
    <>
      <BarTable
        title="Pages that bring downloads"
        head={['Page', 'Downloads', 'Views', 'For each view']}
        empty="None."
        note={
          <p className="desk-hint">
            Views are whole days, as statistics count them; “none” are downloads whose browser does not name a
            page.
          </p>
        }
        rows={data.pages.map(({ name, total, views }) =>
          rowOf(
            name,
            total,
            views === null ? '–' : numbers.format(views),
            views === null || views === 0 ? '–' : (total / views).toFixed(2),
          ),
        )}
      />
      <BarTable
        title="Views of pages"
        head={['Page', 'Views']}
        empty="None: statistics are off, or nobody came."
        rows={data.pageViews.map(({ name, total }) => rowOf(name, total))}
      />
    </>
  );
}

function Visitors({ data }: { data: UseData }) {
  return (
    <>
      <p>
        <Badge kind="plain">consented sample</Badge> Of those who agreed to statistics only, by whole days.
      </p>
      <TimeBars
        title="Visitors"
        label={`${numbers.format(totalOf(data.visitors))} visitors who agreed.`}
        chart={data.visitors.chart}
        series={['Visitors']}
        unit={unitTitle(data.visitors)}
        rows={rowsOf(data.visitors)}
      />
      <TimeBars
        title="Visits"
        label={`${numbers.format(totalOf(data.visits))} visits of those who agreed.`}
        chart={data.visits.chart}
        series={['Visits']}
        unit={unitTitle(data.visits)}
        rows={rowsOf(data.visits)}
      />
      <div className="figures-pair">
        <BarTable
          title="How far pages are read"
          head={['At least', 'Pages', 'Of those shown']}
          empty="None."
          rows={data.scrolls.map(({ name, total }) =>
            rowOf(`${name} %`, total, shareOf(total, data.pagesReported)),
          )}
        />
        <Experiments experiments={data.experiments} />
        <BarTable
          title="What is promoted: seen and pressed"
          head={['Event and label', 'Times']}
          empty="None."
          rows={data.promotions.map(({ name, detail, total }) => rowOf(`${name} ${detail}`.trim(), total))}
        />
      </div>
    </>
  );
}

const rowOf = (name: string, value: number, ...more: string[]) => ({
  ...{ name, value, more },
  text: numbers.format(value),
});

/** With the share of the downloads that arrived completely. */
const completeRows = (rows: UseData['formats']) =>
  rows.map(({ name, total, complete }) => rowOf(name, total, shareOf(complete, total)));

type Over = UseData['downloads'];

const totalOf = ({ values }: Over) =>
  values.reduce((sum, { totals }) => sum + totals.reduce((inner, total) => inner + total, 0), 0);

const monthText = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** More rows than this nobody reads. */
const mostRows = 170;

/** The table's rows: months of a year, hours or days of less. */
const textOf = ({ values, stepMs }: Over) =>
  stepMs < dayMs ? hourText : values.length > mostRows ? monthText : dayText;

const unitTitle = (over: Over) =>
  new Map([
    [hourText, 'Hour (UTC)'],
    [dayText, 'Day (UTC)'],
    [monthText, 'Month (UTC)'],
  ]).get(textOf(over)) ?? '';

/** The newest first. */
function rowsOf(over: Over) {
  const format = textOf(over);
  const rows = Map.groupBy(over.values.toReversed(), ({ at }) => format.format(at));
  return [...rows].map(([name, own]): readonly [string, ...string[]] => [
    name,
    ...(own[0]?.totals ?? []).map((_, series) =>
      numbers.format(own.reduce((sum, { totals }) => sum + (totals[series] ?? 0), 0)),
    ),
  ]);
}

function Experiments({ experiments }: Pick<UseData, 'experiments'>) {
  return (
    <div className="chart-list">
      <h3>Experiments</h3>
      {experiments.length === 0 ? (
        <p className="desk-empty">None was seen.</p>
      ) : (
        <NumberTable
          caption="Experiments"
          head={['Experiment and variant', 'Visits', 'Reached the goal', 'Share']}
          rows={experiments.map(({ experiment, variant, exposures, conversions }) => [
            `${experiment}: ${variant}`,
            numbers.format(exposures),
            numbers.format(conversions),
            shareOf(conversions, exposures),
          ])}
        />
      )}
    </div>
  );
}
