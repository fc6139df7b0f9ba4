import { z } from 'zod';
import { defineConfiguration } from '../../site/configuration/feature-configuration.ts';

const fields = {
  device_mp3: z
    .strictObject({
      /** `busy`: where `ahead` conversions or more are before the visitor's own, or the server refuses another one. */
      when: z.enum(['never', 'busy', 'always']).default('busy'),
      ahead: z.int().min(1).max(1000).default(8),
    })
    .prefault({}),
};

const deviceMp3Schema = z.object(fields);

/** When visitors' own devices encode mp3s. */
export interface DeviceMp3Configuration {
  /** Conversions before the visitor's own from which on its device encodes; 0 for always, null for never. */
  readonly ahead: number | null;
}

function toDeviceMp3({
  device_mp3: { when, ahead },
}: z.infer<typeof deviceMp3Schema>): DeviceMp3Configuration {
  return { ahead: { never: null, busy: ahead, always: 0 }[when] };
}

declare module '../../site/configuration/feature-configuration.ts' {
  interface FeatureConfigurations {
    readonly deviceMp3: DeviceMp3Configuration;
  }
}

/** The field `device_mp3`. */
export const deviceMp3Fields = defineConfiguration({
  fields,
  read: (file) => ({ deviceMp3: toDeviceMp3(file) }),
});
