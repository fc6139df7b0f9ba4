import { lazyPart } from '../../../browser/navigation/lazy-part.tsx';
import { loadResultParts } from './result-parts.tsx';

async function load() {
  const [{ Outcome }] = await Promise.all([import('./outcome.tsx'), loadResultParts()]);
  return Outcome;
}

/** Loaded when the visitor turns to the link box: a first visit does not need it. */
export const laterOutcome = lazyPart(
  'outcome',
  load,
  import.meta.env.SSR ? (await import('./outcome.tsx')).Outcome : null,
);
