import { Fragment } from 'react';
import type { DocumentData } from '../document/document-data.ts';
import { Mark } from '../ui/icon.tsx';

/** The site's own logo, or the ferry, and its name. Where a domain must break, it breaks before a dot. */
export function SiteMark({ page: { logo, name } }: { page: DocumentData }) {
  const parts = name.split(/(?=\.)/);
  return (
    <>
      {logo === undefined ? <Mark /> : <img {...logo} alt="" />}
      <bdi>
        {parts.map((part, at) => (
          <Fragment key={parts.slice(0, at + 1).join('')}>
            {at > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </bdi>
    </>
  );
}
