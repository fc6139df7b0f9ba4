import { command } from '../../../server/commands/declaration.ts';

export const canary = command({
  name: 'canary',
  about: 'run every strategy on one post, through each of OUTBOUND_PROXIES, and print the results',
  details:
    'It prints what the files of the post hold, too. Exit code 0: the first strategy works through every egress. With --matrix it takes up to two minutes; 0 means that every egress gets the page as some identity.',
  arguments: { url: { about: 'a link to a post; one of the platform by default', optional: true } },
  options: {
    matrix: { about: 'ask for the page as each identity, by each HTTP version, with and without cookies' },
  },
  load: async () => (await import('./canary.ts')).runCanaryCommand,
});
