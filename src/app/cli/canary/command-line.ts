import { command } from '../../../server/commands/declaration.ts';

export const canary = command({
  name: 'canary',
  about: 'read one post with every strategy, through each of OUTBOUND_PROXIES',
  details:
    'It also prints the size and the codecs of the post’s files. It exits with 0 if the first strategy works through every egress. With --matrix it takes up to two minutes, and exits with 0 if every egress gets the page as at least one identity.',
  arguments: { url: { about: 'a link to a post (default: one of TikTok’s own)', optional: true } },
  options: {
    matrix: { about: 'request the page as each identity, over each HTTP version, with and without cookies' },
  },
  load: async () => (await import('./canary.ts')).runCanaryCommand,
});
