/** More would only be more who wait. */
const mostWorthHaving = 10_000;

/**
 * Default limit of open visitor connections: half of the file descriptors of this process, since a response may need
 * another file or connection.
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
