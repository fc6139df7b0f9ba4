import { laterPart } from '../../../browser/navigation/later-part.tsx';
import { loadResultParts } from './result-parts.tsx';

async function load() {
  const [{ Outcome }] = await Promise.all([import('./outcome.tsx'), loadResultParts()]);
  return Outcome;
}

/** Loaded when the visitor turns to the link box: a first visit does not need it. */
export const laterOutcome = laterPart(
  'outcome',
  load,
  import.meta.env.SSR ? (await import('./outcome.tsx')).Outcome : null,
);
