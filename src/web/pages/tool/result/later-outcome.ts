import { laterPart } from '../../../browser/navigation/later-part.tsx';
import { loadResultParts } from './result-parts.tsx';

async function load() {
  const [{ Outcome }] = await Promise.all([import('./outcome.tsx'), loadResultParts()]);
  return Outcome;
}

/** Fetched when somebody turns to the link box: a first visit does without it. */
export const laterOutcome = laterPart(
  'outcome',
  load,
  import.meta.env.SSR ? (await import('./outcome.tsx')).Outcome : null,
);
