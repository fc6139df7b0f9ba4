import { provideBrowserMaker } from '../../../site/browser/downloads/browser-maker.ts';
import type { Extra } from '../../../site/visitors/extras.ts';
import type {} from './settings.ts';

export default {
  isNeeded: ({ deviceMp3 }) => deviceMp3 !== undefined,
  // A few lines, of which no request of their own should be made: all else is loaded for a file that is made here.
  load: async () => ({
    start({ deviceMp3 }) {
      if (deviceMp3 !== undefined)
        provideBrowserMaker({
          ahead: deviceMp3.ahead,
          makes: ({ option }) => option.format === 'mp3' && option.href.startsWith('/'),
          make: async (order) => (await import('./maker.ts')).makeMp3(order),
        });
    },
  }),
} satisfies Extra;
