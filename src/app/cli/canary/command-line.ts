import { command } from '../../../web/commands/declaration.ts';

export const canary = command({
  name: 'canary',
  about: 'run every strategy on one post, through each of OUTBOUND_PROXIES, and print the results',
  details:
    'It prints what the files of the post hold, too. Exit code 0: the first strategy works through every egress.',
  arguments: { url: { about: 'a link to a post' } },
  load: async () => (await import('./canary.ts')).runCanaryCommand,
});
