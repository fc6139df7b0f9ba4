/** An answer is sent as a form when the script that takes it in place has not come by then. */
const patienceMs = 5000;

/** What the script in the document's head holds. */
interface EarlyAnswer {
  readonly form?: HTMLFormElement;
  readonly submitter?: HTMLElement | null;
  /** It holds nothing more. */
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
 * Holds an answer that is given to the consent bar before the script is there that takes it in place. Sent as a form, it
 * would load the document anew, which then does not know where its visitor came from.
 */
export function holdAnswer(onHeld: () => void): void {
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
export const isAnswerHeld = (): boolean => send !== undefined;

/** Gives the answer that is held, if any, to whoever takes answers now; none is held from now on. */
export function releaseAnswer(): void {
  holding.abort();
  send?.();
  send = undefined;
}
