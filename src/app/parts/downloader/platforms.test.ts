import { expect, it } from 'vitest';
import { platforms } from '../../../downloader/extractors/platforms.ts';
import { linkTables } from '../../../downloader/links/tables.ts';
import { platformDomains, platformLink, platformNames } from '../../../site/configuration/platforms.ts';

it('knows the domains of every available platform, and no others', () => {
  const postHosts = platforms.flatMap(({ links }) =>
    links.hosts.filter(({ use }) => use === 'posts' || use === 'codes').map(({ name }) => name),
  );
  expect(platforms.map(({ links }) => links.platform)).toEqual([...platformNames]);
  for (const domain of platformDomains)
    expect([domain, postHosts.some((host) => host.test(`www.${domain}`))]).toEqual([domain, true]);
  for (const { links } of platforms) {
    expect(platformLink.test(links.addresses.post('1'))).toBe(true);
    expect(platformLink.test(links.addresses.code('a'))).toBe(true);
  }
});

it('reads the links of every platform when it looks through a text without an extractor', () => {
  expect(linkTables).toEqual(platforms.map(({ links }) => links));
});
