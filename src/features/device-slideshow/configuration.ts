import { z } from 'zod';
import { defineConfiguration } from '../../site/configuration/configuration.ts';

export const deviceSlideshowFields = defineConfiguration({
  fields: {
    /** Whether visitors' own browsers make videos of slideshows where the server cannot. */
    device_slideshow: z.boolean().default(true),
  },
});
