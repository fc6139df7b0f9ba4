import { POSTS, postUrl } from '../../doubles/tiktok/scenarios/posts.ts';
import { SHORT_LINKS } from '../../doubles/tiktok/scenarios/short-links.ts';

/** Addresses to paste, by what they show. */
export function linkTable(): string {
  const shown = [
    ...POSTS.filter(({ group }) => group === 'posts' || group === 'refusals').map((scenario) => ({
      group: scenario.group as string,
      about: scenario.about,
      url: postUrl(scenario),
    })),
    ...SHORT_LINKS.slice(0, 8).map(({ about, url }) => ({ group: 'short links', about, url })),
  ];
  const width = Math.max(...shown.map(({ about }) => about.length));
  const groups = Map.groupBy(shown, ({ group }) => group);
  return [...groups]
    .map(
      ([group, rows]) =>
        `${group}\n${rows.map(({ about, url }) => `  ${about.padEnd(width)}  ${url}`).join('\n')}`,
    )
    .join('\n\n');
}
