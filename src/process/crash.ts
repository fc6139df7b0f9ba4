/** How long a process that is lost waits for its last report. */
const patienceMs = 1000;

/**
 * Has what ends the process reported before it does: with the error on standard error and 1 as the exit code, as Node
 * ends it by itself.
 */
export function reportCrash(monitoring: {
  report(error: unknown): void;
  flush(limitMs: number): Promise<void>;
}): void {
  process.on('uncaughtException', (error) => {
    console.error(error);
    monitoring.report(error);
    // Whatever the last report comes to.
    void Promise.allSettled([monitoring.flush(patienceMs)]).then(() => process.exit(1));
  });
}
