import { command, wholeNumber } from '../../server/commands/declaration.ts';
import { figureNames } from './figures.ts';

export default command({
  name: 'statistics',
  about: 'show statistics: views, downloads, visits and events',
  arguments: {
    figures: { about: 'tables to show (default: all)', optional: true, several: true, choices: figureNames },
  },
  options: {
    days: {
      value: 'N',
      about: 'how many days (UTC), including today',
      default: '30',
      read: wholeNumber(1, 99_999),
    },
  },
  load: async () => (await import('./commands.ts')).showStatistics,
});
