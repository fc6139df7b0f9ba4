import { firstGesture } from '../../../site/browser/later-work.ts';
import type { Extra } from '../../../site/visitors/extras.ts';

/** An answer is submitted as a form when the script that handles it in place is not loaded by then. */
const patienceMs = 5000;

/** The interface of the script in the document's head. */
interface EarlyAnswer {
  readonly form?: HTMLFormElement;
  readonly submitter?: HTMLElement | null;
  /** Stops holding answers. */
  end(): void;
}

declare global {
  interface Window {
    earlyAnswer?: EarlyAnswer;
  }
}

const holding = new AbortController();
let send: (() => void) | undefined;

/**
 * Holds an answer to the consent bar until the script that handles it in place is loaded. Submitted as a form, it would
 * reload the document, which then does not know its referrer.
 */
function holdAnswer(onHeld: () => void): void {
  addEventListener(
    'submit',
    (event) => {
      const form = event.target as HTMLFormElement;
      if (form.getAttribute('action') !== '/consent') return;
      event.preventDefault();
      send = () => form.requestSubmit(event.submitter);
      setTimeout(releaseAnswer, patienceMs);
      onHeld();
    },
    { signal: holding.signal },
  );
  const { earlyAnswer } = window;
  earlyAnswer?.end();
  earlyAnswer?.form?.requestSubmit(earlyAnswer.submitter);
}

/** Whether an answer waits for the script that takes it. */
const isAnswerHeld = (): boolean => send !== undefined;

/** Passes the held answer, if any, to the handler; no further answer is held. */
function releaseAnswer(): void {
  holding.abort();
  send?.();
  send = undefined;
}

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
