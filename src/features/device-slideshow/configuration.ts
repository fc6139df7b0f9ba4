import { z } from 'zod';
import { defineConfiguration } from '../../site/configuration/feature-configuration.ts';

const fields = {
  /** Whether visitors' own browsers make videos of slideshows where the server cannot. */
  device_slideshow: z.boolean().default(true),
};

const deviceSlideshowSchema = z.object(fields);

declare module '../../site/configuration/feature-configuration.ts' {
  interface FeatureConfigurations {
    /** Whether visitors' own browsers make videos of slideshows where the server cannot. */
    readonly deviceSlideshow: boolean;
  }
}

/** The field `device_slideshow`. */
export const deviceSlideshowFields = defineConfiguration({
  fields,
  read: ({ device_slideshow }: z.infer<typeof deviceSlideshowSchema>) => ({
    deviceSlideshow: device_slideshow,
  }),
});
