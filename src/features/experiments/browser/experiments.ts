import { type Experiment, isRunning, variantFor } from '../../../site/visitors/experiment.ts';
import type { VisitorSettings } from '../../../site/visitors/settings.ts';
import { experimentItem } from '../../../site/visitors/stored/stored-item.ts';
import { cookieValue, storeCookie } from '../../../site/visitors/stored-cookies.ts';

/** The present page's path without its language. */
const presentPage = () =>
  location.pathname.replace(/^(?:\/tr)?(?:\/[a-z]{2})?(?=\/|$)\/?/, '/').replace(/(?<=.)\/$/, '');

/** The variant in the cookie, which the server sets unless a proxy caches its pages. */
function ownVariant(experiment: Experiment): string {
  const known = cookieValue(experiment.name);
  const variant = variantFor(experiment, known, Math.random());
  if (variant !== known) storeCookie(experiment.name, variant, experimentItem.lifeS);
  return variant;
}

/** Shows in the address which variants the visitor is in; a shared address never moves whom it is shared with. */
function nameVariants({ experiments = [] }: VisitorSettings): void {
  const url = new URL(location.href);
  for (const experiment of experiments)
    if (isRunning(experiment, presentPage(), Date.now()))
      url.searchParams.set(experiment.name, ownVariant(experiment));
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}

/** Puts the visitor into a variant of each experiment that runs, on this page and the following ones. */
export function start(settings: VisitorSettings): (present: VisitorSettings) => void {
  nameVariants(settings);
  return nameVariants;
}
