import { firstGesture } from '../../../web/browser/first-gesture.ts';
import type { Extra } from '../../../web/visitors/extras.ts';
import { holdAnswer, isAnswerHeld, releaseAnswer } from './held-answer.ts';

/** Answers the question without another page. */
export default {
  isWanted: ({ asksFor }) => asksFor.length > 0,
  // Without scripts, and where this one cannot be had, the bar is a form that the browser sends by itself.
  hurry: holdAnswer,
  load: () =>
    // Who has pressed before the scripts came makes no other gesture.
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
