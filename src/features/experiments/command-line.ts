import { command } from '../../server/commands/declaration.ts';

export default command({
  name: 'experiments',
  about: 'show the results of experiments: visits of each variant, and how many reached the goal',
  arguments: { names: { about: 'names of experiments (default: all)', optional: true, several: true } },
  load: async () => (await import('./commands.ts')).showExperiments,
});
