import type { ReactNode } from 'react';

/** A table's caption, for those who do not see what is above it, and the titles of its columns. */
export function TableHead({ caption, titles }: { caption: string; titles: readonly string[] }) {
  return (
    <>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

/** The numbers of a chart; a long table scrolls in its own place. */
export function NumberTable(props: {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="chart-numbers" aria-label={`Numbers: ${props.caption}`} tabIndex={0}>
      <table>
        <TableHead caption={props.caption} titles={props.head} />
        <tbody>
          {props.rows.map(([first, ...numbers], at) => (
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
