import { z } from 'zod';
import { defineConfiguration } from '../../site/configuration/configuration.ts';

export const deviceMp3Fields = defineConfiguration({
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
  },
});
