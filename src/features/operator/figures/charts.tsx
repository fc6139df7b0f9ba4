import type { ReactNode } from 'react';
import { plotHeight, plotWidth, type TimeChart } from './chart-geometry.ts';

const top = 6;
const marksHeight = 22;

/** Height of a plot with its marks, in px. @param height of its bars */
const fullHeight = (height: number) => top + height + marksHeight;

/** The distance of a mark from the top, in px. @param place in hundredths of the plot */
const markAt = (place: number, height: number) => top + (place / 100) * height;

/**
 * Bars over time.
 * @param height of the bars, in px
 * @param label what a screen reader says in the place of the picture
 */
export function Bars(props: { chart: TimeChart; height: number; label: string }) {
  const { chart, height, label } = props;
  const base = top + height;
  const series = [...new Set(chart.bars.map((bar) => bar.series))];
  return (
    <svg className="chart-plot" width="100%" height={fullHeight(height)} role="img" aria-label={label}>
      <title>{label}</title>
      {chart.yTicks.map(({ place }) => (
        <line
          key={place}
          className="chart-line"
          x1="0"
          x2="100%"
          y1={markAt(place, height)}
          y2={markAt(place, height)}
        />
      ))}
      <svg
        x="0"
        y={top}
        width="100%"
        height={height}
        viewBox={`0 0 ${plotWidth} ${plotHeight}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {series.map((number) => (
          <path key={number} data-series={number} d={pathOf(chart, number)} />
        ))}
      </svg>
      <line className="chart-base" x1="0" x2="100%" y1={base} y2={base} />
      {chart.xTicks.map(({ place, label: time }) => (
        <text
          key={place}
          className="chart-mark"
          x={`${place}%`}
          y={base + 16}
          // Labels near the ends stay inside.
          textAnchor={place > 88 ? 'end' : place < 8 ? 'start' : 'middle'}
        >
          {time}
        </text>
      ))}
    </svg>
  );
}

/** All bars of a series as one path: a year has hundreds of them. */
const pathOf = ({ bars }: TimeChart, number: number) =>
  bars
    .filter(({ series }) => series === number)
    .map(({ x, y, width, height: tall }) => `M${x},${y}h${width}v${tall}h-${width}z`)
    .join('');

const timeBarsHeight = 150;

/**
 * Bars over time, with their numbers in a table beside.
 * @param label what a screen reader says in the place of the picture
 */
export function TimeBars(props: {
  title: string;
  label: string;
  chart: TimeChart;
  /** Names of the series, the lowest first. */
  series: readonly string[];
  /** The table's rows, the newest first. */
  rows: readonly (readonly string[])[];
  unit: string;
}) {
  const { chart, series } = props;
  return (
    <figure className="chart">
      <figcaption>
        <h3>{props.title}</h3>
        <Legend series={series} />
      </figcaption>
      <div className="chart-beside">
        <div className="chart-axes">
          <svg className="chart-axis" width="36" height={fullHeight(timeBarsHeight)} aria-hidden="true">
            {chart.yTicks.map(({ place, label }) => (
              <text
                key={place}
                className="chart-mark"
                x="32"
                y={markAt(place, timeBarsHeight) + 4}
                textAnchor="end"
              >
                {label}
              </text>
            ))}
          </svg>
          <Bars chart={chart} height={timeBarsHeight} label={props.label} />
        </div>
        <NumberTable title={props.title} head={[props.unit, ...series]} rows={props.rows} />
      </div>
    </figure>
  );
}

/** Names of series beside their colours; none for one alone. */
function Legend({ series }: { series: readonly string[] }) {
  if (series.length < 2) return null;
  return (
    <ul className="chart-legend">
      {series.map((name, number) => (
        <li key={name}>
          <svg width="12" height="12" aria-hidden="true">
            <rect data-series={number} width="12" height="12" rx="2" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

interface NumberTableProps {
  title: string;
  /** Titles of the columns. */
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}

/** Numbers, each row with its name in front; a long table scrolls in its own place. */
function NumberTable({ title, head, rows }: NumberTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="chart-numbers" aria-label={`Numbers: ${title}`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {head.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...numbers], at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={at}>
              <th scope="row">{first}</th>
              {numbers.map((number, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={column}>{number}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A table of numbers below its title. */
export function Numbers(props: NumberTableProps & { empty?: string; note?: string }) {
  return (
    <div className="chart-list">
      <h3>{props.title}</h3>
      {props.note !== undefined && <p className="desk-hint">{props.note}</p>}
      {props.rows.length === 0 ? (
        <p className="desk-empty">{props.empty ?? 'None.'}</p>
      ) : (
        <NumberTable {...props} />
      )}
    </div>
  );
}

/** Rows whose first number is drawn below the name as well. @param text writes that number */
export function withBars(
  rows: readonly (readonly [name: string, value: number, ...more: string[]])[],
  text: (value: number) => string,
): NumberTableProps['rows'] {
  const most = Math.max(1, ...rows.map(([, value]) => value));
  return rows.map(([name, value, ...more]) => [
    <>
      <span>{name}</span>
      <svg width="100%" height="6" aria-hidden="true">
        <rect className="chart-rail" width="100%" height="6" rx="3" />
        <rect
          data-series="0"
          width={`${(value === 0 ? 0 : Math.max(0.5, (value / most) * 100)).toFixed(1)}%`}
          height="6"
          rx="3"
        />
      </svg>
    </>,
    text(value),
    ...more,
  ]);
}
