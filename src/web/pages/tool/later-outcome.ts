import { laterPart } from '../../browser/later-part.tsx';

const load = async () => (await import('./outcome.tsx')).Outcome;

/** Fetched when somebody turns to the link box: a first visit does without it. */
export const laterOutcome = laterPart('outcome', load, import.meta.env.SSR ? await load() : null);
