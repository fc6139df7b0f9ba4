/** Longer than a slow line needs for a style sheet. */
const patienceMs = 8000;

/**
 * Lets nobody wait longer for a style sheet that comes later than the document: the router and React show nothing of
 * what it is for before its `load` event. When it comes after all, it applies.
 */
export function limitLateStyles(): void {
  const limit = (node: Node) => {
    if (node instanceof HTMLLinkElement && (node.rel === 'stylesheet' || node.as === 'style'))
      setTimeout(() => node.sheet === null && node.dispatchEvent(new Event('load')), patienceMs);
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(limit);
  }).observe(document.head, { childList: true });
}
