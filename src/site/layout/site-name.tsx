import { Fragment } from 'react';

/** The site's name. Where a domain must break, it breaks before a dot. */
export function SiteName({ name }: { name: string }) {
  const parts = name.split(/(?=\.)/);
  return (
    <bdi>
      {parts.map((part, at) => (
        <Fragment key={parts.slice(0, at + 1).join('')}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
