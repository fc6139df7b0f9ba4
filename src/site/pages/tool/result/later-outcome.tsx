import type { ComponentProps } from 'react';
import { lazyPart } from '../../../browser/navigation/lazy-part.tsx';
import { LaterMessages, loadLaterMessages } from '../../../later-messages.tsx';
import { presentLocale } from '../../../translation.tsx';
import type { Outcome as OutcomeOfResult } from './outcome.tsx';
import { loadResultParts, resultCatalogues } from './result-parts.tsx';

async function load() {
  const [{ Outcome }] = await Promise.all([
    import('./outcome.tsx'),
    loadResultParts().then(() =>
      import.meta.env.SSR ? undefined : loadLaterMessages(presentLocale(), resultCatalogues()),
    ),
  ]);
  return (props: ComponentProps<typeof OutcomeOfResult>) => (
    <LaterMessages pages={resultCatalogues()}>
      <Outcome {...props} />
    </LaterMessages>
  );
}

/** Loaded when the visitor turns to the link box: a first visit does not need it. */
export const laterOutcome = lazyPart('outcome', load, import.meta.env.SSR ? await load() : null);
