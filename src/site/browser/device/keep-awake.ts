/**
 * Keeps the screen on, where the browser can: a sleeping phone stops working.
 * @returns a function that ends it
 */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  const take = async () => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (isOver) await lock.release();
    } catch (thrown) {
      // The device saves energy; only developers need to know.
      console.debug(thrown);
    }
  };
  // Browsers end it when the tab goes behind another one.
  document.addEventListener('visibilitychange', take);
  void take();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', take);
    void lock?.release();
  };
}

const beatMs = 10_000;
/** Browsers let the timers of a hidden tab wait for a minute. */
const sleptMs = 150_000;

/**
 * Calls back after the device has slept.
 * @returns a function that ends it
 */
export function onWaking(callback: () => void): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > sleptMs) callback();
    last = now;
  }, beatMs);
  return () => clearInterval(timer);
}
