/** Lists on the device that a visit leaves behind: links that worked, and articles that were opened. */
const traces = ['recent-links', 'recent_visits'];

function hasTrace(): boolean {
  if (typeof window === 'undefined') return false;
  try {
    return traces.some((name) => localStorage.getItem(name) !== null);
  } catch (thrown) {
    // A forbidden storage knows no visit.
    if (thrown instanceof DOMException) return false;
    throw thrown;
  }
}

/** Whether this device visited the site before the present document was loaded. */
export const knowsSite = hasTrace();
