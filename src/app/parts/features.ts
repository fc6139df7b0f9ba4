import { Failure } from '../../failures/failures.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { FeatureSlots } from '../../server/instance/parts.ts';
import { features } from '../features.ts';

/** The slots of a site without features. */
const emptySlots: FeatureSlots = {
  isWithheld: () => false,
  isDatabaseAway: () => false,
  resolvePage: (_, here) => here(),
  readPictureAt: () =>
    Promise.reject(new Failure('ticket_invalid', { note: 'no other server of this site' })),
  receiveMessage: async () => ({ kind: 'failed', values: {}, reason: 'unavailable' }),
  reporter: null,
  sharedPages: null,
  listsFrom: null,
};

/** The features of an instance. */
interface OpenedFeatures {
  readonly all: readonly FeatureServer[];
  readonly slots: FeatureSlots;
  close(): Promise<void>;
}

/** Opens all features at once. @throws EnvironmentError */
export async function openFeatures(core: Core): Promise<OpenedFeatures> {
  const all = await Promise.all(features.flatMap(({ open }) => open?.(core) ?? []));
  return {
    all,
    slots: Object.assign({}, emptySlots, ...all.map(({ slots }) => slots)),
    async close() {
      await Promise.all(all.map(({ close }) => close?.()));
    },
  };
}
