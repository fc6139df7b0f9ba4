import { z } from 'zod';
import { defineConfiguration } from '../../site/configuration/configuration.ts';

export const deviceMediaFields = defineConfiguration({
  fields: {
    /** When visitors' own devices encode mp3s. */
    device_mp3: z
      .strictObject({
        /** `busy`: where `ahead` conversions or more are before the visitor's own, or the server refuses another one. */
        when: z.enum(['never', 'busy', 'always']).default('busy'),
        ahead: z.int().min(1).max(1000).default(8),
      })
      .prefault({})
      /** Conversions before the visitor's own from which on its device encodes; 0 for always, null for never. */
      .transform(({ when, ahead }) => ({ ahead: { never: null, busy: ahead, always: 0 }[when] })),
    /** Visitors' own browsers make videos of slideshows where the server cannot. */
    device_slideshow: z.boolean().default(true),
    /** They make other videos of a video: for every player, of a size, with captions. */
    device_video: z.boolean().default(true),
  },
});
