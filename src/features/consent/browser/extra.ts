import { firstGesture } from '../../../site/browser/first-gesture.ts';
import type { Extra } from '../../../site/visitors/extras.ts';
import { holdAnswer, isAnswerHeld, releaseAnswer } from './held-answer.ts';

/** Answers the question without another page. */
export default {
  isNeeded: ({ asksFor }) => asksFor.length > 0,
  // Without scripts, or if this one fails to load, the browser submits the bar's form itself.
  hurry: holdAnswer,
  load: () =>
    // A visitor who pressed a button before the scripts were loaded makes no other gesture.
    (isAnswerHeld() ? Promise.resolve() : firstGesture())
      .then(() => import('./answering/answering.ts'))
      .then(({ start }) => ({
        start(settings) {
          start(settings);
          releaseAnswer();
        },
      }))
      .catch((error: unknown) => {
        releaseAnswer();
        throw error;
      }),
} satisfies Extra;
