import { command } from '../../server/commands/declaration.ts';
import { wholeNumber } from '../../server/commands/values.ts';
import { figureNames } from './figures.ts';

export default command({
  name: 'statistics',
  about: 'show daily totals of visitors’ actions (UTC)',
  arguments: {
    figures: { about: 'tables to show; all by default', optional: true, several: true, choices: figureNames },
  },
  options: { days: { value: 'N', about: 'number of days', default: '30', read: wholeNumber(1, 99_999) } },
  load: async () => (await import('./commands.ts')).showStatistics,
});
