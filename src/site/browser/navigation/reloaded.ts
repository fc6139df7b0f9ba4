/** Whether the document was loaded again, by the visitor or by a script, and not come to by an address or a link. */
export const isReloaded = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');
