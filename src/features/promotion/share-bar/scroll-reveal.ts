/** The visitor has come to read: scrolling counts from here on. */
const startDelayMs = 5000;
const hideDelayMs = 200;

/** Shows something while a page is scrolled. */
export interface ScrollReveal {
  /** The page is being scrolled. */
  scrolled(): void;
  /** It is not hidden for as long as it is used: pressed, pointed at, or holding the keyboard's focus. */
  hold(isHeld: boolean): void;
  end(): void;
}

/**
 * The behaviour of the share bar on phones: after five seconds scrolling shows it, and 200 ms after the last scrolling
 * it hides again.
 */
export function createScrollReveal(show: (isShown: boolean) => void): ScrollReveal {
  let isListening = false;
  let isHeld = false;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const starting = setTimeout(() => {
    isListening = true;
  }, startDelayMs);

  function hideSoon(): void {
    clearTimeout(hiding);
    if (!isHeld) hiding = setTimeout(show, hideDelayMs, false);
  }

  return {
    scrolled() {
      if (!isListening) return;
      show(true);
      hideSoon();
    },
    hold(held) {
      isHeld = held;
      if (held) clearTimeout(hiding);
      else hideSoon();
    },
    end() {
      clearTimeout(starting);
      clearTimeout(hiding);
    },
  };
}
