import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { reportEarlyError } from '../site/browser/early-errors.ts';
import { limitLateStyles } from '../site/browser/late-styles.ts';
import { resumeNavigation } from '../site/browser/navigation/guarded-navigation.ts';

resumeNavigation();
limitLateStyles();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={reportEarlyError} />
    </StrictMode>,
  );
});
