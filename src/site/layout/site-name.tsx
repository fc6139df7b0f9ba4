import { Fragment } from 'react';

/** The site's domain name. Where it must break, it breaks before a dot. */
export function SiteName({ domain }: { domain: string }) {
  const parts = domain.split(/(?=\.)/);
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
