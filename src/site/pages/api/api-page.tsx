import { Fragment } from 'react';
import { useLoaderData } from 'react-router';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { ApiSection, loadApiPage } from './page-data.ts';

/** The API's description for people. */
export function ApiPage() {
  const { head, title, intro, openapi, sections } = useLoaderData<typeof loadApiPage>();
  return (
    <ProsePage title={title} intro={intro} variant={false} className="api">
      <PageHead title={head.title} description={head.description} keywords={head.keywords} />
      <p>
        <a href="/api/openapi.json">{openapi}</a>
      </p>
      {sections.map((section) => (
        <Section key={section.id} section={section} />
      ))}
    </ProsePage>
  );
}

/** The longest part of a name that fits on a phone beside its description. */
const wholeNameLength = 12;

/** A name; where it is long and the page narrow, it parts at its underscores. */
function Name({ children: name }: { children: string }) {
  const parts = name.length > wholeNameLength ? name.split(/(?<=_)/) : [name];
  return (
    <code dir="ltr">
      {parts.map((part, at) => (
        <Fragment key={part}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}

function Section({ section }: { section: ApiSection }) {
  const { id, title, call, paragraphs, examples, columns, rows } = section;
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {call !== null && (
        <pre className="api-call" dir="ltr">
          {call}
        </pre>
      )}
      {paragraphs.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {examples.map((example) => (
        <figure key={example.title}>
          <figcaption>{example.title}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
          <pre dir="ltr" tabIndex={0}>
            {example.code}
          </pre>
        </figure>
      ))}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">
                  <Name>{name ?? ''}</Name>
                </th>
                {cells.map((cell) => (
                  <td key={cell}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
