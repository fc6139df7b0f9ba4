/**
 * Whether the document was reloaded, by the visitor or a script, rather than opened by an address or a link.
 */
export const isReloaded = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');
