import { useEffect, useState } from 'react';

/** Whole seconds until a moment (ms since the epoch), counted down; 0 when it is past or null. */
export function useCountdown(until: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  const seconds = until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1000));
  const running = seconds > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return seconds;
}
