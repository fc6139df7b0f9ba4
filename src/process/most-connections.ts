/** More would only be more who wait. */
const mostWorthHaving = 10_000;

/**
 * How many connections of visitors may be open at once when the operator does not say: half of the files that the
 * system lets this process open, since an answer may need a file or a connection of its own.
 */
export function mostConnections(): number {
  // `excludeNetwork` is not among Node's types yet.
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  // Looking up names of network neighbours would take seconds.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as unknown as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const openFiles = userLimits?.open_files?.soft;
  if (typeof openFiles !== 'number') return mostWorthHaving;
  return Math.max(16, Math.min(mostWorthHaving, Math.floor(openFiles / 2)));
}
