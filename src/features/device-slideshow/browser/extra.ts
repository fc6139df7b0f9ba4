import { provideBrowserMaker } from '../../../site/browser/downloads/browser-maker.ts';
import type { Extra } from '../../../site/visitors/extras.ts';
import { partsAddress } from '../paths.ts';
import type {} from './settings.ts';
import { allow } from './support.ts';

const isMadeHere = partsAddress('');

export default {
  // A place is kept for the button until it is known that there is none.
  isNeeded: () => true,
  // A few lines, of which no request of their own should be made: all else is loaded for a video that is made here.
  load: async () => ({
    start({ deviceSlideshow = false }) {
      allow(deviceSlideshow);
      provideBrowserMaker({
        ahead: 0,
        makes: ({ option }) => option.href.split('?', 1)[0]?.endsWith(isMadeHere) === true,
        make: async (order) => (await import('./make-slideshow.ts')).makeSlideshow(order),
      });
    },
  }),
} satisfies Extra;
