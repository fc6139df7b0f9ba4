/** How long a crashing process waits for its last report. */
const patienceMs = 1000;

/**
 * Reports the error that ends the process before it ends: prints it on standard error and exits with 1, as Node does by
 * default.
 */
export function reportCrash(monitoring: {
  report(error: unknown): void;
  flush(limitMs: number): Promise<void>;
}): void {
  process.on('uncaughtException', (error) => {
    console.error(error);
    monitoring.report(error);
    // The process also ends when the last report fails.
    void Promise.allSettled([monitoring.flush(patienceMs)]).then(() => process.exit(1));
  });
}
