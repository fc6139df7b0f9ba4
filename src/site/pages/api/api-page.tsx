import { Fragment } from 'react';
import { useLoaderData } from 'react-router';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import { Disclosure } from '../../ui/surfaces.tsx';
import type { ApiSection, loadApiPage } from './page-data.ts';

/** The API's description for people. */
export function ApiPage() {
  const page = useLoaderData<typeof loadApiPage>();
  return (
    <ProsePage page={page} className="api">
      <p>
        <a href="/api/openapi.json">{page.openapi}</a>
      </p>
      {page.sections.map((section) => (
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

/** More rows or examples would hide the sections below them, on phones above all. */
const most = { rows: 8, examples: 2 };

/** A section; a long one is folded. */
function Section({ section }: { section: ApiSection }) {
  const { id, title, rows, examples } = section;
  const heading = <h2 id={`${id}-title`}>{title}</h2>;
  const isLong = rows.length > most.rows || examples.length > most.examples;
  return (
    <section id={isLong ? undefined : id} aria-labelledby={`${id}-title`}>
      {isLong ? (
        <Disclosure id={id} summary={heading}>
          <SectionBody {...section} />
        </Disclosure>
      ) : (
        <>
          {heading}
          <SectionBody {...section} />
        </>
      )}
    </section>
  );
}

function SectionBody({ call, paragraphs, examples, columns, rows }: ApiSection) {
  return (
    <>
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
    </>
  );
}
