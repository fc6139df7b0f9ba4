import type { ReactNode } from 'react';

interface NumberTableProps {
  title: string;
  /** Titles of the columns. */
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}

/** Numbers, each row with its name in front; a long table scrolls in its own place. */
export function NumberTable({ title, head, rows }: NumberTableProps) {
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
