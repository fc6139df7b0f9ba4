import type { ReactNode } from 'react';
import { TableHead } from './number-table.tsx';

/** One row: a name, what its bar shows, and further numbers. */
interface BarRow {
  readonly name: string;
  readonly value: number;
  /** As it is written; the bar is drawn of `value`. */
  readonly text: string;
  readonly more?: readonly ReactNode[];
}

/** Names with a bar for each, and its number beside. */
export function BarTable(props: {
  title: string;
  /** Titles of the columns: of the name, of the number, and of further ones. */
  head: readonly string[];
  rows: readonly BarRow[];
  empty: string;
  note?: ReactNode;
}) {
  const { rows } = props;
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <div className="chart-list">
      <h3>{props.title}</h3>
      {props.note}
      {rows.length === 0 ? (
        <p className="desk-empty">{props.empty}</p>
      ) : (
        <table>
          <TableHead caption={props.title} titles={props.head} />
          <tbody>
            {rows.map(({ name, value, text, more = [] }) => (
              <tr key={name}>
                <th scope="row">
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
                </th>
                <td>{text}</td>
                {more.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
