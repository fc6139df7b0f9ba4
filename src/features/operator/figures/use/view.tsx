import { Badge, Section } from '../../../../server/desk/components.tsx';
import { Numbers, TimeBars, withBars } from '../charts.tsx';
import type { UseData } from './page.ts';

const numbers = new Intl.NumberFormat('en-GB');
const percents = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
const dayMs = 86_400_000;

const periodTitles: Readonly<Record<UseData['period'], string>> = {
  day: '24 hours',
  week: '7 days',
  month: '31 days',
  year: '12 months',
};

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
      <OverTime
        title="Downloads over time"
        label={`${numbers.format(all)} downloads within ${periodTitles[data.period]}.`}
        series={['complete', 'other']}
        over={data.downloads}
      />
      <div className="figures-pair">
        <BarNumbers
          title="By format"
          head={['Format', 'Downloads', 'Complete']}
          rows={completeRows(data.formats)}
        />
        <BarNumbers
          title="By outcome"
          head={['Outcome', 'Downloads', 'Share']}
          rows={data.outcomes.map(({ name, total }) => [name, total, shareOf(total, all)])}
        />
        <BarNumbers
          title="Time to the first byte"
          head={['At most', 'Files', 'Share']}
          rows={data.firstBytes.map(({ most, total }) => [
            Number.isFinite(most) ? `${most / 1000} s` : 'more',
            total,
            shareOf(total, sumOf(data.firstBytes)),
          ])}
        />
        <BarNumbers
          title="By language of the page"
          head={['Language', 'Downloads', 'Complete']}
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
      <BarNumbers
        title="Pages that bring downloads"
        head={['Page', 'Downloads', 'Views', 'For each view']}
        note="Views are whole days, as statistics count them; “none” are downloads whose browser does not name a page."
        rows={data.pages.map(({ name, total, views }) => [
          name,
          total,
          ...(views === 0 ? ['–', '–'] : [numbers.format(views), (total / views).toFixed(2)]),
        ])}
      />
      <BarNumbers
        title="Views of pages"
        head={['Page', 'Views']}
        empty="None: statistics are off, or nobody came."
        rows={data.pageViews.map(({ name, total }) => [name, total])}
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
      <OverTime
        title="Visitors"
        label={`${numbers.format(totalOf(data.visitors))} visitors who agreed.`}
        series={['Visitors']}
        over={data.visitors}
      />
      <OverTime
        title="Visits"
        label={`${numbers.format(totalOf(data.visits))} visits of those who agreed.`}
        series={['Visits']}
        over={data.visits}
      />
      <div className="figures-pair">
        <BarNumbers
          title="How far pages are read"
          head={['At least', 'Pages', 'Of those shown']}
          rows={data.scrolls.map(({ name, total }) => [
            `${name} %`,
            total,
            shareOf(total, data.pagesReported),
          ])}
        />
        <Numbers
          title="Experiments"
          head={['Experiment and variant', 'Visits', 'Reached the goal', 'Share']}
          empty="None was seen."
          rows={data.experiments.map(({ experiment, variant, exposures, conversions }) => [
            `${experiment}: ${variant}`,
            numbers.format(exposures),
            numbers.format(conversions),
            shareOf(conversions, exposures),
          ])}
        />
        <BarNumbers
          title="What is promoted: seen and pressed"
          head={['Event and label', 'Times']}
          rows={data.promotions.map(({ name, detail, total }) => [`${name} ${detail}`.trim(), total])}
        />
      </div>
    </>
  );
}

type BarRows = Parameters<typeof withBars>[0];

/** Names with a bar for each, and its number beside. */
const BarNumbers = ({ rows, ...table }: Omit<Parameters<typeof Numbers>[0], 'rows'> & { rows: BarRows }) => (
  <Numbers {...table} rows={withBars(rows, numbers.format)} />
);

/** With the share of the downloads that arrived completely. */
const completeRows = (rows: UseData['formats']): BarRows =>
  rows.map(({ name, total, complete }) => [name, total, shareOf(complete, total)]);

type Over = UseData['downloads'];

const totalOf = ({ values }: Over) =>
  values.reduce((sum, { totals }) => sum + totals.reduce((inner, total) => inner + total, 0), 0);

const monthText = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** More rows than this nobody reads. */
const mostRows = 170;

/** What the table's rows are: months of a year, hours or days of less. */
function unitOf({ values, stepMs }: Over) {
  if (stepMs < dayMs) return { unit: 'Hour (UTC)', format: hourText };
  return values.length > mostRows
    ? { unit: 'Month (UTC)', format: monthText }
    : { unit: 'Day (UTC)', format: dayText };
}

/** Bars over time. The table has the newest first. */
function OverTime({ over, ...chart }: { title: string; label: string; series: string[]; over: Over }) {
  const { unit, format } = unitOf(over);
  const rows = Map.groupBy(over.values.toReversed(), ({ at }) => format.format(at));
  return (
    <TimeBars
      {...chart}
      chart={over.chart}
      unit={unit}
      rows={[...rows].map(([name, own]) => [
        name,
        ...chart.series.map((_, series) =>
          numbers.format(own.reduce((sum, { totals }) => sum + (totals[series] ?? 0), 0)),
        ),
      ])}
    />
  );
}
