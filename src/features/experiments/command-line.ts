import { command } from '../../server/commands/declaration.ts';

export default command({
  name: 'experiments',
  about: 'show results of experiments: visits per variant, and how many saved a file',
  arguments: { names: { about: 'experiments (default: all)', optional: true, several: true } },
  load: async () => (await import('./commands.ts')).showExperiments,
});
