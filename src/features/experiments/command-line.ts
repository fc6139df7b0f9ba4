import { command } from '../../server/commands/declaration.ts';

export default command({
  name: 'experiments',
  about: 'results of experiments: visits by variant, and those that saved a file',
  arguments: { names: { about: 'experiments; all by default', optional: true, several: true } },
  load: async () => (await import('./commands.ts')).showExperiments,
});
