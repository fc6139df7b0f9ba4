import { provideBrowserMaker } from '../../../site/browser/downloads/browser-maker.ts';
import type { Extra } from '../../../site/visitors/extras.ts';
import { partsAddress } from '../paths.ts';
import { allowed, tellAll } from './allowed.ts';

declare module '../../../site/visitors/settings.ts' {
  interface FeatureSettings {
    readonly deviceMedia?: {
      /** Conversions before the visitor's own from which on this browser encodes an mp3; 0 for always, absent for never. */
      readonly mp3Ahead?: number;
      /** This browser may make videos of slideshows. */
      readonly slideshow: boolean;
      /** This browser may make other videos of a video. */
      readonly video: boolean;
    };
  }
}

const isSlideshow = partsAddress('');
/** The server waits as long for a picture; in ms. */
const slideshowSilenceMs = 60_000;

export default {
  // A place is kept for the buttons until it is known that there are none.
  isNeeded: () => true,
  // A few lines, of which no request of their own should be made: all else is loaded for a file that is made here.
  load: async () => ({
    start({ deviceMedia: { mp3Ahead, slideshow, video } = { slideshow: false, video: false } }) {
      allowed.present = { slideshow, video };
      tellAll();
      if (mp3Ahead !== undefined)
        provideBrowserMaker({
          ahead: mp3Ahead,
          makes: ({ option }) => option.format === 'mp3' && option.href.startsWith('/'),
          make: async (order) => (await import('./make-mp3.ts')).makeMp3(order),
        });
      provideBrowserMaker({
        ahead: 0,
        makes: ({ option }) => option.href.split('?', 1)[0]?.endsWith(isSlideshow) === true,
        async make(order) {
          const { runWorker } = await import('./run-worker.ts');
          const made = await runWorker('video', { parts: order.href }, slideshowSilenceMs, order);
          return made instanceof File ? made : null;
        },
      });
      provideBrowserMaker({
        ahead: 0,
        makes: ({ option }) => 'plan' in option,
        make: async (order) => (await import('./make-video.ts')).makeVideo(order),
      });
    },
  }),
} satisfies Extra;
