import { isDeveloperMode } from '../../site/browser/device/developer-mode.ts';
import { whenIdle } from '../../site/browser/later-work.ts';
import { createExtras, type Extra } from '../../site/visitors/extras.ts';
import { startServiceWorker } from '../../site/visitors/worker-registration.ts';

/** All features with code to load later. */
const ofFeatures = import.meta.glob<Extra>('../../features/*/browser/extra.ts', {
  eager: true,
  import: 'default',
});

const extras: readonly Extra[] = [
  ...Object.values(ofFeatures),
  {
    isNeeded: isDeveloperMode,
    hurry: (callback) => addEventListener('hashchange', () => isDeveloperMode() && callback()),
    load: () => import('../../site/state/developer.ts'),
  },
  {
    isNeeded: ({ serviceWorker }) => serviceWorker !== undefined,
    // A few lines, not worth a request of their own.
    load: async () => ({ start: startServiceWorker }),
  },
];

/** Loads what is configured, after the page's own work is done. To be called with each page's settings. */
export const startExtras = createExtras(extras, whenIdle);
