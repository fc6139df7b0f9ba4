import { command } from '../../../server/commands/declaration.ts';

export const canary = command({
  name: 'canary',
  about: 'read one post with every strategy, through each of OUTBOUND_PROXIES',
  details:
    'It prints what the files of the post hold, too. Exit code 0: the first strategy works through every egress. With --matrix it takes up to two minutes; 0 means that every egress gets the page as some identity.',
  arguments: { url: { about: 'a link to a post (default: one of TikTok’s own)', optional: true } },
  options: {
    matrix: { about: 'request the page as each identity, over each HTTP version, with and without cookies' },
  },
  load: async () => (await import('./canary.ts')).runCanaryCommand,
});
