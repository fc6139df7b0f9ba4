/** How long a crashing process waits for its last report. */
const patienceMs = 1000;

/**
 * Reports the error that ends the process before it ends: prints it on standard error and exits with 1, as Node does by
 * default.
 */
export function reportCrash(report: (error: unknown) => Promise<unknown>): void {
  process.on('uncaughtException', (error) => {
    console.error(error);
    const exit = () => process.exit(1);
    setTimeout(exit, patienceMs);
    // Whether or not the report succeeds.
    report(error).then(exit, exit);
  });
}
